--liquibase formatted sql
--changeset whizbang:complete_fanout_slice runOnChange:true splitStatements:false stripComments:false
-- Moves a cursor to the end of a slice's window, if it stands at the start of it. False when it does not.
create or replace function ${schema}.complete_fanout_slice(
    p_topic        text,
    p_work_key     text,
    p_shard_key    text,
    p_window_start timestamptz,
    p_window_end   timestamptz,
    p_now          timestamptz default null
)
returns boolean
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
begin
    update ${schema}.wh_fanout_cursors c
    set completed_until = p_window_end, completed_at = coalesce(p_now, clock_timestamp()), planned_until = null
    where c.topic = p_topic and c.work_key = p_work_key and c.shard_key = p_shard_key
      and c.completed_until is not distinct from p_window_start and p_window_end > coalesce(p_window_start, '-infinity');
    return found;
end
$$;
