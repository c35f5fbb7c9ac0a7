--liquibase formatted sql
--changeset whizbang:feed_range runOnChange:true splitStatements:false stripComments:false
-- Events in a range of positions that became visible between two ticks.
create or replace function ${schema}.feed_range(
    p_base            pg_snapshot,
    p_base_high       bigint,
    p_base_restored   bigint,
    p_target          pg_snapshot,
    p_target_high     bigint,
    p_target_restored bigint,
    p_after           bigint,
    p_end             bigint,
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
set enable_sort = off
as $$
begin
    return query
        select w.*
        from ${schema}.wh_events w
        where w.position > p_after and w.position <= p_end
          and ${schema}.feed_visible(w.tx, w.position, p_target, p_target_high, p_target_restored)
          and not ${schema}.feed_visible(w.tx, w.position, p_base, p_base_high, p_base_restored)
          and (cardinality(p_shards) = p_count or ${schema}.stream_shard(w.stream_id, p_count) = any (p_shards))
        order by w.position
        limit p_limit;
end
$$;
