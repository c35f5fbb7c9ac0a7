--liquibase formatted sql
--changeset whizbang:purge_fanout_cursors runOnChange:true splitStatements:false stripComments:false
-- Removes cursors whose last slice was planned longer ago than that, at most p_limit of them; says how many. Their shards are gone.
create or replace function ${schema}.purge_fanout_cursors(p_older_ms bigint, p_limit int, p_now timestamptz default null)
returns int
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_now   timestamptz := coalesce(p_now, clock_timestamp());
    v_count int;
begin
    delete from ${schema}.wh_fanout_cursors d
    where d.ctid = any (array(
        select c.ctid from ${schema}.wh_fanout_cursors c
        where c.planned_at < v_now - p_older_ms * interval '1 millisecond'
        order by c.planned_at
        limit p_limit
        for update skip locked));
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
