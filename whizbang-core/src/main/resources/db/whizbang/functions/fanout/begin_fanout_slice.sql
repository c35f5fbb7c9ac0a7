--liquibase formatted sql
--changeset whizbang:begin_fanout_slice runOnChange:true splitStatements:false stripComments:false
-- Whether a slice is still to be handled: how many milliseconds after the end of its window that is, or null when the window was completed already. With
-- p_lock the cursor is the caller's until its transaction ends, and whoever has the same slice waits for that.
create or replace function ${schema}.begin_fanout_slice(
    p_topic        text,
    p_work_key     text,
    p_shard_key    text,
    p_window_start timestamptz,
    p_window_end   timestamptz,
    p_lock         boolean,
    p_now          timestamptz default null
)
returns bigint
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
begin
    if p_lock then
        -- In a statement of its own: whoever waited here must see what it waited for.
        perform from ${schema}.wh_fanout_cursors c
        where c.topic = p_topic and c.work_key = p_work_key and c.shard_key = p_shard_key
        for update;
    end if;
    return (select greatest(0, extract(epoch from coalesce(p_now, clock_timestamp()) - p_window_end) * 1000)::bigint
            from ${schema}.wh_fanout_cursors c
            where c.topic = p_topic and c.work_key = p_work_key and c.shard_key = p_shard_key
              and c.completed_until is not distinct from p_window_start and p_window_end > coalesce(p_window_start, '-infinity'));
end
$$;
