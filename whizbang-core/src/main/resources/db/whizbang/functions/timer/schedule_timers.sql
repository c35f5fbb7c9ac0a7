--liquibase formatted sql
--changeset whizbang:schedule_timers runOnChange:true splitStatements:false stripComments:false
-- Schedules timers in the caller's transaction. A pending timer with the same key is replaced, or kept as it is where the caller says so.
-- No lock but those of the rows: a timer joins its stream when it fires.
create or replace function ${schema}.schedule_timers(
    p_ids              uuid[],
    p_keys             text[],
    p_keep             boolean[],
    p_stream_ids       uuid[],
    p_stream_keys      text[],
    p_partition_hashes int[],
    p_topics           text[],
    p_types            text[],
    p_headers          jsonb[],
    p_payloads         text[],
    p_delays_us        bigint[],
    p_dues             timestamptz[],
    p_now              timestamptz default null
)
returns table (id uuid, key text, hash int, due_in_ms bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    -- In the order of keys, so that two callers cannot wait for each other. Times that have passed count as now: whoever looks for due
    -- messages looks back only a little.
    if false = any (p_keep) then
        return query
        insert into ${schema}.wh_scheduled as s
            (queue, due_at, timer_due, timer_key, partition_hash, size, created_at, message_id, stream_id, stream_key, topic,
             message_type, headers, payload)
        select 1, greatest(d.due, v_now), d.due, p_keys[n.i], p_partition_hashes[n.i], octet_length(p_payloads[n.i]), v_now, p_ids[n.i],
            p_stream_ids[n.i], p_stream_keys[n.i], p_topics[n.i], p_types[n.i], p_headers[n.i], p_payloads[n.i]
        from generate_series(1, cardinality(p_ids)) n(i)
             cross join lateral (select coalesce(p_dues[n.i], v_now + p_delays_us[n.i] * interval '1 microsecond') as due) d
        where not p_keep[n.i]
        order by p_keys[n.i] nulls first, n.i
        on conflict (timer_key) where timer_key is not null do update set
            due_at = excluded.due_at, timer_due = excluded.timer_due, partition_hash = excluded.partition_hash, size = excluded.size,
            created_at = excluded.created_at, message_id = excluded.message_id, stream_id = excluded.stream_id,
            stream_key = excluded.stream_key, topic = excluded.topic, message_type = excluded.message_type,
            headers = excluded.headers, payload = excluded.payload
        returning s.message_id, s.timer_key, s.partition_hash, ceil(extract(epoch from s.due_at - v_now) * 1000)::bigint;
    end if;
    if true = any (p_keep) then
        return query
        insert into ${schema}.wh_scheduled as s
            (queue, due_at, timer_due, timer_key, partition_hash, size, created_at, message_id, stream_id, stream_key, topic,
             message_type, headers, payload)
        select 1, greatest(d.due, v_now), d.due, p_keys[n.i], p_partition_hashes[n.i], octet_length(p_payloads[n.i]), v_now, p_ids[n.i],
            p_stream_ids[n.i], p_stream_keys[n.i], p_topics[n.i], p_types[n.i], p_headers[n.i], p_payloads[n.i]
        from generate_series(1, cardinality(p_ids)) n(i)
             cross join lateral (select coalesce(p_dues[n.i], v_now + p_delays_us[n.i] * interval '1 microsecond') as due) d
        where p_keep[n.i]
        order by p_keys[n.i], n.i
        -- Changes nothing, but locks the timer and tells which it is.
        on conflict (timer_key) where timer_key is not null do update set timer_key = s.timer_key
        returning s.message_id, s.timer_key, s.partition_hash, ceil(extract(epoch from s.due_at - v_now) * 1000)::bigint;
    end if;
end
$$;
