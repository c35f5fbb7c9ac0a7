--liquibase formatted sql
--changeset whizbang:perspective_has runOnChange:true splitStatements:false stripComments:false
-- Whether the run that serves has applied an event, or passed it because it does not want it. Nothing when the event is not committed.
create or replace function ${schema}.perspective_has(p_name text, p_stream_id uuid, p_version bigint)
returns boolean
language plpgsql
stable
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
    v_event ${schema}.wh_events;
    v_shard ${schema}.wh_perspective_shards;
    v_point ${schema}.wh_perspective_checkpoints;
begin
    select * into v_event from ${schema}.wh_events e where e.stream_id = p_stream_id and e.version = p_version;
    if not found then
        return null;
    end if;
    select s.* into v_shard
    from ${schema}.wh_perspectives p
         join ${schema}.wh_perspective_shards s on s.run_id = p.run_id and s.shard = ${schema}.stream_shard(p_stream_id, p.shards)
    where p.name = p_name and p.status = 1;
    if not found then
        return false;
    end if;
    select * into v_point from ${schema}.wh_perspective_checkpoints c where c.run_id = v_shard.run_id and c.stream_id = p_stream_id;
    if v_point.status is not null and (v_point.status <> 0 or v_point.version >= p_version) then
        return v_point.version >= p_version;
    end if;
    return ${schema}.feed_visible(v_event.tx, v_event.position, v_shard.base_snapshot, v_shard.base_high, v_shard.base_restored)
        or v_shard.target_snapshot is not null and v_event.position <= v_shard.position
           and ${schema}.feed_visible(v_event.tx, v_event.position, v_shard.target_snapshot, v_shard.target_high,
               v_shard.target_restored);
end
$$;
