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
as $$
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    if p_strict then
        perform ${schema}.lock_streams(p_queue, p_stream_ids, p_partition_hashes);
    end if;
    perform ${schema}.announce_enqueue();

    if array_remove(p_delays_ms, null) <> '{}' or array_remove(p_not_before, null) <> '{}' then
        perform ${schema}.store_scheduled(p_queue, p_ids, p_stream_ids, p_stream_keys, p_partition_hashes, p_topics, p_types,
            p_headers, p_payloads, p_delays_ms, p_not_before, v_now);
    end if;

    insert into ${schema}.wh_messages
        (queue, partition_number, size, message_id, stream_id, stream_key, topic, message_type, headers, payload, created_at)
    select p_queue, n.hash % e.partitions, octet_length(n.payload), n.id, n.stream_id, n.stream_key, n.topic, n.type, n.headers,
        n.payload, v_now
    from unnest(p_ids, p_stream_ids, p_stream_keys, p_partition_hashes, p_topics, p_types, p_headers, p_payloads,
            p_delays_ms, p_not_before)
         with ordinality n(id, stream_id, stream_key, hash, topic, type, headers, payload, delay_ms, not_before, place)
         cross join (select w.partitions from ${schema}.wh_epoch w where w.queue = p_queue) e
    where ${schema}.due_time(n.delay_ms, n.not_before, v_now) <= v_now
    order by n.place;
end
$$;
