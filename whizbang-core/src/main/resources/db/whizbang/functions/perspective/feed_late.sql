--liquibase formatted sql
--changeset whizbang:feed_late runOnChange:true splitStatements:false stripComments:false
-- Events behind a position that are not new but were not visible at base, because their transactions were open there.
create or replace function ${schema}.feed_late(
    p_base            pg_snapshot,
    p_base_low        bigint,
    p_base_restored   bigint,
    p_target          pg_snapshot,
    p_target_high     bigint,
    p_target_restored bigint,
    p_position        bigint,
    p_shards          int[],
    p_count           int,
    p_limit           int
)
returns setof ${schema}.wh_events
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
begin
    return query
        select e.*
        from pg_snapshot_xip(p_base) x(tx)
             cross join lateral (
                 select w.*
                 from ${schema}.wh_events w
                 -- As pairs: one transaction may have written nearly all there is, and then the planner would rather read all by position.
                 where (w.tx, w.position) > (x.tx, greatest(p_position, p_base_restored)) and (w.tx, w.position) <= (x.tx, p_base_low)
                   and ${schema}.feed_visible(w.tx, w.position, p_target, p_target_high, p_target_restored)
                   and (cardinality(p_shards) = p_count or ${schema}.stream_shard(w.stream_id, p_count) = any (p_shards))
                 order by w.tx, w.position
                 limit p_limit) e
        -- Who is still open may have written millions, and nothing of it can be seen.
        where pg_visible_in_snapshot(x.tx, p_target) or p_target_restored > p_base_restored
        order by e.position
        limit p_limit;
end
$$;
