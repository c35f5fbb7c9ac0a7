--liquibase formatted sql
--changeset whizbang:store_scheduled runOnChange:true splitStatements:false stripComments:false
create or replace function ${schema}.store_scheduled(
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
    p_now              timestamptz
)
returns void
language sql
as $$
    insert into ${schema}.wh_scheduled
        (queue, due_at, partition_hash, size, message_id, stream_id, stream_key, topic, message_type, headers, payload, created_at)
    select p_queue, d.due_at, n.hash, octet_length(n.payload), n.id, n.stream_id, n.stream_key, n.topic, n.type, n.headers,
        n.payload, p_now
    from unnest(p_ids, p_stream_ids, p_stream_keys, p_partition_hashes, p_topics, p_types, p_headers, p_payloads,
            p_delays_ms, p_not_before)
         with ordinality n(id, stream_id, stream_key, hash, topic, type, headers, payload, delay_ms, not_before, place)
         cross join lateral (select coalesce(n.not_before, p_now + n.delay_ms * interval '1 millisecond') as due_at) d
    where d.due_at > p_now
    order by n.place
$$;
