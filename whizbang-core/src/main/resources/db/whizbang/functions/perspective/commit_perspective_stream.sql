--liquibase formatted sql
--changeset whizbang:commit_perspective_stream runOnChange:true splitStatements:false stripComments:false
-- Moves one stream on that goes by itself, in the transaction that changes the model; when it has caught up with the feed, it follows it
-- again. False when the shard or the stream is somebody else's by now: then the caller must roll back.
create or replace function ${schema}.commit_perspective_stream(
    p_run       bigint,
    p_instance  uuid,
    p_shard     int,
    p_token     bigint,
    p_moves     bigint,
    p_stream_id uuid,
    p_found     bigint,
    p_version   bigint,
    p_position  bigint,
    p_event_id  uuid,
    p_follows   boolean
)
returns boolean
language plpgsql
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
begin
    if ${schema}.fence_perspective_shards(p_run, p_instance, array[p_shard], array[p_token], array[p_moves]) <> 1 then
        return false;
    end if;
    update ${schema}.wh_perspective_checkpoints c
    set version = p_version, position = coalesce(p_position, c.position), event_id = coalesce(p_event_id, c.event_id),
        status = case when p_follows then 0 else 1 end, attempts = 0, error = null, failed_at = null,
        next_attempt_at = case when p_follows then null else c.next_attempt_at end, updated_at = clock_timestamp()
    where c.run_id = p_run and c.stream_id = p_stream_id and c.version = p_found and c.status = 1;
    return found;
end
$$;
