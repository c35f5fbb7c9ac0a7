--liquibase formatted sql
--changeset whizbang:hold_perspectives runOnChange:true splitStatements:false stripComments:false
-- The round of an instance: shows that it is alive, takes its share, and tells what it holds and whether there is anything to do. One row
-- without a run when the instance counts as dead and must come back as a new one.
create or replace function ${schema}.hold_perspectives(
    p_instance    uuid,
    p_lease_ms    bigint,
    p_rules       jsonb,
    p_busy_runs   bigint[],
    p_busy_shards int[]
)
returns table (run_id bigint, name text, version int, run int, status smallint, shards int, members int, shard int, token bigint,
    moves bigint, is_own boolean, base_snapshot text, base_low bigint, base_high bigint, base_restored bigint, target_snapshot text,
    target_low bigint, target_high bigint, target_restored bigint, shard_position bigint, has_news boolean, due_ms bigint)
language plpgsql
as $$
#variable_conflict use_column
declare
    v_now     timestamptz := clock_timestamp();
    v_members int;
    v_silence interval := greatest(p_lease_ms, 3 * (p_rules ->> 'heartbeat_ms')::bigint) * interval '1 millisecond';
begin
    perform ${schema}.require_read_committed();
    if not exists (select from ${schema}.wh_service_instances i where i.instance_id = p_instance) then
        return query select (null::bigint), null::text, null::int, null::int, null::smallint, null::int, null::int, null::int,
            null::bigint, null::bigint, null::boolean, null::text, null::bigint, null::bigint, null::bigint, null::text,
            null::bigint, null::bigint, null::bigint, null::bigint, null::boolean, null::bigint;
        return;
    end if;
    perform ${schema}.check_members(3::smallint, p_instance, p_rules, v_now);
    perform ${schema}.take_perspective_shards(p_instance, p_lease_ms, v_silence, p_busy_runs, p_busy_shards, v_now);
    -- Of all perspectives: whoever has one wants to hear of events.
    v_members := (select count(distinct m.instance_id) from ${schema}.wh_perspective_members m);
    return query
        with runs as materialized (
            select m.run_id, m.members from ${schema}.perspective_members(p_instance, v_silence) m
        ), held as materialized (
            select s.*, p.name, p.version, p.run, p.status, p.shards,
                ${schema}.shard_owner(r.members, s.run_id, s.shard) = p_instance as is_own,
                s.base_snapshot::text as base, s.target_snapshot::text as target
            from ${schema}.wh_perspective_shards s
                 join ${schema}.wh_perspectives p on p.run_id = s.run_id
                 left join runs r on r.run_id = s.run_id
            where s.holder = p_instance
        ), bases as materialized (
            select b.base, b.base_low, b.base_restored,
                ${schema}.feed_has_news(b.base::pg_snapshot, b.base_low, b.base_restored) as has_news
            from (select distinct h.base, h.base_low, h.base_restored from held h) b
        ), due as materialized (
            select r.run_id, extract(epoch from ${schema}.first_perspective_due(r.run_id, r.held, r.shards) - v_now) * 1000 as due_ms
            from (select h.run_id, h.shards, array_agg(h.shard) as held from held h group by h.run_id, h.shards) r
        )
        select h.run_id, h.name, h.version, h.run, h.status, h.shards,
            v_members, h.shard, h.token, h.moves, coalesce(h.is_own, false),
            h.base, h.base_low, h.base_high, h.base_restored, h.target, h.target_low, h.target_high, h.target_restored, h.position,
            h.target is not null or b.has_news, case when d.due_ms is not null then greatest(0, d.due_ms)::bigint end
        from held h
             join bases b on b.base = h.base and b.base_low = h.base_low and b.base_restored = h.base_restored
             join due d on d.run_id = h.run_id
        order by h.run_id, h.shard;
end
$$;
drop function if exists ${schema}.perspective_shares(uuid, interval);
