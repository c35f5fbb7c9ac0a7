--liquibase formatted sql
--changeset whizbang:due_perspective_streams runOnChange:true splitStatements:false stripComments:false
-- Streams of some shards whose next try is due, the longest waiting first.
create or replace function ${schema}.due_perspective_streams(p_run bigint, p_shards int[], p_count int, p_limit int)
returns table (stream_id uuid, stream_key text, shard int, version bigint, attempts int)
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
#variable_conflict use_column
declare
    -- Once, else every stream that waits would be compared with it.
    v_now timestamptz := clock_timestamp();
begin
    return query
        select c.stream_id, (select s.stream_key from ${schema}.wh_streams s where s.stream_id = c.stream_id),
            ${schema}.stream_shard(c.stream_id, p_count), c.version, c.attempts
        from ${schema}.wh_perspective_checkpoints c
        where c.run_id = p_run and c.status = 1 and c.next_attempt_at <= v_now
          and ${schema}.stream_shard(c.stream_id, p_count) = any (p_shards)
        order by c.next_attempt_at
        limit p_limit;
end
$$;
