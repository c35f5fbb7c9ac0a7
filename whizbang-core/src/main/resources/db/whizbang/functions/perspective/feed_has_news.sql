--liquibase formatted sql
--changeset whizbang:feed_has_news runOnChange:true splitStatements:false stripComments:false
-- Whether anything may have become visible since a tick: a position was drawn, or something committed late.
create or replace function ${schema}.feed_has_news(p_base pg_snapshot, p_low bigint, p_restored bigint)
returns boolean
language plpgsql
set plan_cache_mode = force_generic_plan
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
    v_seen pg_snapshot;
begin
    if ${schema}.last_position() > p_low or p_restored < (select w.restored from ${schema}.wh_perspective_world w) then
        return true;
    end if;
    v_seen := pg_current_snapshot();
    return exists (
        select
        from pg_snapshot_xip(p_base) x(tx)
             cross join lateral (select from ${schema}.wh_events e
                                 where (e.tx, e.position) > (x.tx, p_restored) and (e.tx, e.position) <= (x.tx, p_low)
                                 order by e.tx, e.position
                                 limit 1) e
        -- Who is still open may have written millions. Ids of the future are of another server.
        where pg_visible_in_snapshot(x.tx, v_seen) or x.tx >= pg_snapshot_xmax(v_seen));
end
$$;
