--liquibase formatted sql
--changeset whizbang:complete_handled runOnChange:true splitStatements:false stripComments:false
-- Completes messages in the transaction of their handlers, so that effects and completion commit together. Returns the claims that
-- are lost, or whose messages are gone or partly handled by others; then the caller must roll back.
create or replace function ${schema}.complete_handled(
    p_queue   smallint,
    p_claims  bigint[],                 -- of each message
    p_tokens  uuid[],
    p_seqs    bigint[],
    p_sources text[],                   -- of those messages that receptors are recorded for
    p_ids     uuid[],
    p_debug   boolean,
    p_now     timestamptz default null
)
returns bigint[]
language plpgsql
-- The application's lock timeout is for its own locks.
set lock_timeout = 0
-- As in process_work_batch: only plans that stay good while the table grows.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_now     timestamptz := coalesce(p_now, clock_timestamp());
    v_lost    bigint[] := ${schema}.fence_handled(p_queue, p_claims, p_tokens);
    v_gone    bigint[];
    v_streams uuid[];
begin
    if v_lost <> '{}' then
        return v_lost;
    end if;
    if p_debug then
        perform ${schema}.keep_completed(
            p_queue, (select c.instance_id from ${schema}.wh_claims c where c.claim_id = p_claims[1]), p_seqs, v_now);
    end if;

    -- The row is the second fence: whoever deletes it has handled the message. So is its mark: if the caller does not know of it, a
    -- transaction whose end the caller did not hear of has recorded receptors.
    with gone as (
        delete from ${schema}.wh_messages m
        where m.queue = p_queue and m.seq = any (p_seqs)
        returning m.seq, m.stream_id, m.status, not m.headers ? 'whizbang-handled-in-part' or m.message_id = any (p_ids) as is_known
    )
    select coalesce(array_agg(g.seq) filter (where g.is_known), '{}'),
        coalesce(array_agg(distinct g.stream_id) filter (where g.status <> 0 and g.stream_id is not null), '{}')
    into v_gone, v_streams
    from gone g;
    if cardinality(v_gone) < cardinality(p_seqs) then
        return array(
            select distinct u.claim_id from unnest(p_claims, p_seqs) u(claim_id, seq) where u.seq <> all (v_gone));
    end if;
    perform ${schema}.promote_heads(p_queue, v_streams, v_now);
    if p_ids <> '{}' then
        perform ${schema}.forget_receptors(p_sources, p_ids);
    end if;
    return '{}';
end
$$;
