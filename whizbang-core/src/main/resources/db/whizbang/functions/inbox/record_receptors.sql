--liquibase formatted sql
--changeset whizbang:record_receptors runOnChange:true splitStatements:false stripComments:false
-- Remembers receptors that are done with messages which others are not done with, in the transaction of their effects. Returns the
-- claims that are lost, or whose messages are gone or partly handled by others; then the caller must roll back.
create or replace function ${schema}.record_receptors(
    p_queue     smallint,
    p_claims    bigint[],               -- of the message of each entry
    p_tokens    uuid[],
    p_seqs      bigint[],
    p_marked    bigint[],               -- those of which the caller knows that receptors are recorded
    p_sources   text[],
    p_ids       uuid[],
    p_attempts  int[],
    p_receptors text[],
    p_statuses  smallint[],
    p_errors    text[],
    p_now       timestamptz default null
)
returns bigint[]
language plpgsql
set lock_timeout = 0
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_now  timestamptz := coalesce(p_now, clock_timestamp());
    v_lost bigint[] := ${schema}.fence_handled(p_queue, p_claims, p_tokens);
    v_held bigint[];
begin
    if v_lost <> '{}' then
        return v_lost;
    end if;
    -- The mark stays with the message wherever it goes, so that only messages that have entries are asked for them. The row is the
    -- second fence: a transaction whose end the caller did not hear of may have done all this before.
    with marked as (
        update ${schema}.wh_messages m
        set headers = m.headers || '{"whizbang-handled-in-part": "true"}'
        where m.queue = p_queue and m.seq = any (p_seqs)
          and (m.seq = any (p_marked) or not m.headers ? 'whizbang-handled-in-part')
        returning m.seq
    )
    select coalesce(array_agg(k.seq), '{}') into v_held from marked k;
    v_lost := array(select distinct u.claim_id from unnest(p_claims, p_seqs) u(claim_id, seq) where u.seq <> all (v_held));
    if v_lost <> '{}' then
        return v_lost;
    end if;

    insert into ${schema}.wh_receptor_processing as r
        (source, message_id, receptor, status, attempts, error, processed_at)
    select u.source, u.id, u.receptor, u.status, u.attempts, u.error, v_now
    from unnest(p_sources, p_ids, p_receptors, p_statuses, p_attempts, p_errors) u(source, id, receptor, status, attempts, error)
    order by u.source, u.id, u.receptor
    on conflict (source, message_id, receptor) do update
    set status = excluded.status, attempts = excluded.attempts, error = excluded.error, processed_at = excluded.processed_at;
    return '{}';
end
$$;
