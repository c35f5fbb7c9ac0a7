--liquibase formatted sql
--changeset whizbang:next_perspective_due runOnChange:true splitStatements:false stripComments:false
-- Milliseconds until the next try of a stream of some shards that is not due yet; null when there is none.
create or replace function ${schema}.next_perspective_due(p_run bigint, p_shards int[], p_count int)
returns bigint
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
declare
    v_now timestamptz := clock_timestamp();
begin
    return (
        select ceil(extract(epoch from c.next_attempt_at - v_now) * 1000)::bigint
        from ${schema}.wh_perspective_checkpoints c
        where c.run_id = p_run and c.status = 1 and c.next_attempt_at > v_now
          and ${schema}.stream_shard(c.stream_id, p_count) = any (p_shards)
        order by c.next_attempt_at
        limit 1);
end
$$;
