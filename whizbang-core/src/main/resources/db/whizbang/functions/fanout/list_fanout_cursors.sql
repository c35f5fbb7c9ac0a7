--liquibase formatted sql
--changeset whizbang:list_fanout_cursors runOnChange:true splitStatements:false stripComments:false
-- Cursors of a topic by work key and shard key, behind one of them.
create or replace function ${schema}.list_fanout_cursors(p_topic text, p_after_work text, p_after_shard text, p_limit int)
returns table (topic text, work_key text, shard_key text, completed_until timestamptz, completed_at timestamptz, planned_until timestamptz,
    planned_at timestamptz, plans int)
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
#variable_conflict use_column
begin
    return query
        select c.topic, c.work_key, c.shard_key, c.completed_until, c.completed_at, c.planned_until, c.planned_at, c.plans
        from ${schema}.wh_fanout_cursors c
        where c.topic = p_topic and (c.work_key, c.shard_key) > (coalesce(p_after_work, ''), coalesce(p_after_shard, ''))
        order by c.work_key, c.shard_key
        limit p_limit;
end
$$;
