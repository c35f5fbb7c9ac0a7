--liquibase formatted sql
--changeset whizbang:receive_messages runOnChange:true splitStatements:false stripComments:false
-- Decides which messages are new, and remembers these. Answers with one row for each message that is not: its place in the lists, and
-- the hash under which it is known.
create or replace function ${schema}.receive_messages(
    p_sources      text[],
    p_ids          uuid[],
    p_hashes       bytea[],
    p_retention_ms bigint,                   -- null means for ever
    p_now          timestamptz default null
)
returns table (place int, known_hash bytea)
language plpgsql
-- Waiting for another transaction that receives the same message is short; giving up would cost the caller's.
set lock_timeout = 0
-- One look by key for each message, however long the table gets.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_now    timestamptz := coalesce(p_now, clock_timestamp());
    v_new    int[] := '{}';
    v_known  int[] := '{}';
    v_hashes bytea[] := '{}';
begin
    loop
        -- In the order of the key, so that two batches with the same messages cannot wait for each other.
        with first as (
            select distinct on (p_sources[n.i], p_ids[n.i]) n.i, p_sources[n.i] as source, p_ids[n.i] as id, p_hashes[n.i] as hash
            from generate_series(1, cardinality(p_ids)) n(i)
            order by p_sources[n.i], p_ids[n.i], n.i
        ), stored as (
            insert into ${schema}.wh_message_deduplication (source, message_id, content_hash, received_at, expires_at)
            select f.source, f.id, f.hash, v_now, v_now + p_retention_ms * interval '1 millisecond'
            from first f
            order by f.source, f.id
            on conflict do nothing
            returning source, message_id
        )
        select v_new || coalesce(array_agg(f.i), '{}') into v_new
        from first f join stored s on s.source = f.source and s.message_id = f.id;
        exit when cardinality(v_new) = cardinality(p_ids);

        -- A statement of its own: it sees what a transaction has stored that the insert waited for.
        select array_agg(n.i order by n.i), array_agg(d.content_hash order by n.i) into v_known, v_hashes
        from (select generate_series(1, cardinality(p_ids)) except select unnest(v_new)) n(i)
             -- The offset keeps this a look by key; the planner is free in the lists alone, which may be long.
             left join lateral (
                 select k.content_hash
                 from ${schema}.wh_message_deduplication k
                 where k.source = p_sources[n.i] and k.message_id = p_ids[n.i]
                 offset 0) d on true;
        -- One that was forgotten between the two statements is new.
        exit when array_position(v_hashes, null) is null;
    end loop;
    return query select u.i, u.hash from unnest(v_known, v_hashes) u(i, hash);
end
$$;
