--liquibase formatted sql
--changeset whizbang:commit_perspective_page runOnChange:true splitStatements:false stripComments:false
-- Moves shards and the checkpoints of their streams on, in the transaction that changes the model. The numbers of both must be those that
-- were given: else somebody else has them, and the caller must roll back.
create or replace function ${schema}.commit_perspective_page(
    p_run             bigint,
    p_instance        uuid,
    p_shards          int[],
    p_tokens          bigint[],
    p_moves           bigint[],
    p_lease_ms        bigint,
    p_base            text,
    p_base_low        bigint,
    p_base_high       bigint,
    p_base_restored   bigint,
    p_target          text,
    p_target_low      bigint,
    p_target_high     bigint,
    p_target_restored bigint,
    p_position        bigint,
    p_streams         uuid[],
    p_found           bigint[],
    p_versions        bigint[],
    p_positions       bigint[],
    p_event_ids       uuid[],
    out shards_moved  int,
    out streams_moved int
)
language plpgsql
set plan_cache_mode = force_generic_plan
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
    v_now   timestamptz := clock_timestamp();
    v_count int;
begin
    streams_moved := 0;
    shards_moved := ${schema}.fence_perspective_shards(p_run, p_instance, p_shards, p_tokens, p_moves);
    if shards_moved <> cardinality(p_shards) then
        return;
    end if;
    update ${schema}.wh_perspective_shards s
    set base_snapshot = p_base::pg_snapshot, base_low = p_base_low, base_high = p_base_high, base_restored = p_base_restored,
        target_snapshot = p_target::pg_snapshot, target_low = p_target_low, target_high = p_target_high,
        target_restored = p_target_restored, position = p_position, moves = s.moves + 1, moved_at = v_now,
        lease_expiry = v_now + p_lease_ms * interval '1 millisecond'
    where s.run_id = p_run and s.shard = any (p_shards);

    -- By their places, each found by its key: the planner, who may have planned when there were none, cannot read all of them at once.
    update ${schema}.wh_perspective_checkpoints c
    set version = n.version, position = n.position, event_id = n.event_id, updated_at = v_now
    from unnest(p_streams, p_found, p_versions, p_positions, p_event_ids) n(stream_id, found, version, position, event_id)
         cross join lateral (
             select d.ctid as place
             from ${schema}.wh_perspective_checkpoints d
             where d.run_id = p_run and d.stream_id = n.stream_id and d.version = n.found and d.status = 0
             limit 1) f
    where n.found is not null and c.ctid = f.place and c.version = n.found and c.status = 0;
    get diagnostics streams_moved = row_count;

    insert into ${schema}.wh_perspective_checkpoints
        (run_id, stream_id, version, position, event_id, created_at, updated_at)
    select p_run, n.stream_id, n.version, n.position, n.event_id, v_now, v_now
    from unnest(p_streams, p_found, p_versions, p_positions, p_event_ids) n(stream_id, found, version, position, event_id)
    where n.found is null
    on conflict do nothing;
    get diagnostics v_count = row_count;
    streams_moved := streams_moved + v_count;
end
$$;
