--liquibase formatted sql
--changeset whizbang:first_perspective_due runOnChange:true splitStatements:false stripComments:false
-- When the next try of a stream of some shards is due, or was; null when there is none.
create or replace function ${schema}.first_perspective_due(p_run bigint, p_shards int[], p_count int)
returns timestamptz
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
begin
    return (
        select c.next_attempt_at
        from ${schema}.wh_perspective_checkpoints c
        where c.run_id = p_run and c.status = 1 and ${schema}.stream_shard(c.stream_id, p_count) = any (p_shards)
        order by c.next_attempt_at
        limit 1);
end
$$;
