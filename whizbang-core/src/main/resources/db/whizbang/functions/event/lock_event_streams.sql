--liquibase formatted sql
--changeset whizbang:lock_event_streams runOnChange:true splitStatements:false stripComments:false
-- Locks several streams until the transaction ends, and says where each one stands. Sorted, and those that are new first, so that two
-- transactions that do this cannot wait for each other. A stream that is new stands at 0.
create or replace function ${schema}.lock_event_streams(
    p_stream_ids  uuid[],
    p_stream_keys text[],
    p_expected    bigint[],
    p_now         timestamptz
)
returns table (stream_id uuid, version bigint)
language plpgsql
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
begin
    insert into ${schema}.wh_streams (stream_id, stream_key, version, created_at, appended_at)
    select n.id, n.key, 0, p_now, p_now
    from unnest(p_stream_ids, p_stream_keys, p_expected) n(id, key, expected)
    where coalesce(n.expected, 0) = 0
    order by n.id
    on conflict (stream_id) do nothing;
    return query
        select s.stream_id, s.version
        from ${schema}.wh_streams s
        where s.stream_id = any (p_stream_ids)
        order by s.stream_id
        for update;
end
$$;
