--liquibase formatted sql
--changeset whizbang:store_queue_messages runOnChange:true splitStatements:false stripComments:false
-- Stores messages of work queues, in the caller's transaction and as its last statement. Their topics are the names of the queues.
create or replace function ${schema}.store_queue_messages(
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
set plan_cache_mode = force_generic_plan
as $$
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    -- Always, whatever p_strict says: that a key has no message before its low end depends on it.
    perform ${schema}.lock_streams(p_queue, p_stream_ids, p_partition_hashes);
    perform ${schema}.announce_enqueue();
    if array_remove(p_delays_ms, null) = '{}' and array_remove(p_not_before, null) = '{}' then
        perform ${schema}.add_queue_messages(p_ids, p_stream_ids, p_stream_keys, p_partition_hashes, p_topics, p_types, p_headers,
            p_payloads, v_now);
        return;
    end if;
    perform ${schema}.store_scheduled(p_queue, p_ids, p_stream_ids, p_stream_keys, p_partition_hashes, p_topics, p_types,
        p_headers, p_payloads, p_delays_ms, p_not_before, v_now);
    perform ${schema}.add_queue_messages(array_agg(n.id order by n.place), array_agg(n.stream_id order by n.place),
        array_agg(n.stream_key order by n.place), array_agg(n.hash order by n.place), array_agg(n.topic order by n.place),
        array_agg(n.type order by n.place), array_agg(n.headers order by n.place), array_agg(n.payload order by n.place), v_now)
    from unnest(p_ids, p_stream_ids, p_stream_keys, p_partition_hashes, p_topics, p_types, p_headers, p_payloads, p_delays_ms,
            p_not_before)
         with ordinality n(id, stream_id, stream_key, hash, topic, type, headers, payload, delay_ms, not_before, place)
    where coalesce(n.not_before, v_now + n.delay_ms * interval '1 millisecond', v_now) <= v_now
    having count(*) > 0;
end
$$;
