--liquibase formatted sql
--changeset whizbang:store_messages runOnChange:true splitStatements:false stripComments:false
-- Stores messages, in the caller's transaction and as its last statement.
create or replace function ${schema}.store_messages(
    p_queue            smallint,
    p_ids              uuid[],
    p_stream_ids       uuid[],
    p_stream_keys      text[],
    p_partition_hashes int[],
    p_topics           text[],
    p_types            text[],
    p_headers          jsonb[],
    p_payloads         text[],
    p_delays_ms        bigint[],
    p_not_before       timestamptz[],
    p_strict           boolean,
    p_now              timestamptz default null
)
returns void
language plpgsql
-- The application's lock timeout is for its own locks: waiting here is short, and giving up would cost its transaction.
set lock_timeout = 0
-- Planning anew for every length of the lists would cost more than the insert.
set plan_cache_mode = force_generic_plan
as $$
declare
    v_now     timestamptz := coalesce(p_now, clock_timestamp());
    v_delayed boolean := array_remove(p_delays_ms, null) <> '{}' or array_remove(p_not_before, null) <> '{}';
begin
    if p_strict then
        perform ${schema}.lock_streams(p_queue, p_stream_ids, p_partition_hashes);
    else
        perform ${schema}.share_streams(p_queue);
    end if;
    perform ${schema}.announce_enqueue();
    if v_delayed then
        perform ${schema}.store_scheduled(p_queue, p_ids, p_stream_ids, p_stream_keys, p_partition_hashes, p_topics, p_types,
            p_headers, p_payloads, p_delays_ms, p_not_before, v_now);
    end if;

    -- Counting through the lists is a third of the cost of unnesting ten of them, when they are short.
    insert into ${schema}.wh_messages
        (queue, partition_number, size, message_id, stream_id, stream_key, topic, message_type, headers, payload, created_at)
    select p_queue, p_partition_hashes[n.i] % (select e.partitions from ${schema}.wh_epoch e where e.queue = p_queue),
        octet_length(p_payloads[n.i]), p_ids[n.i], p_stream_ids[n.i], p_stream_keys[n.i], p_topics[n.i], p_types[n.i],
        p_headers[n.i], p_payloads[n.i], v_now
    from generate_series(1, cardinality(p_ids)) n(i)
    where not v_delayed
       or coalesce(p_not_before[n.i], v_now + p_delays_ms[n.i] * interval '1 millisecond', v_now) <= v_now
    order by n.i;
end
$$;
