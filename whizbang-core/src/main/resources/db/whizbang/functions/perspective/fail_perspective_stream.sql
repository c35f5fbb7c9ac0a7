--liquibase formatted sql
--changeset whizbang:fail_perspective_stream runOnChange:true splitStatements:false stripComments:false
-- Stops a stream where it stands: it waits for its next try, or is dead. Returns how often it has failed; nothing when the shard or the
-- stream is somebody else's by now.
create or replace function ${schema}.fail_perspective_stream(
    p_run       bigint,
    p_instance  uuid,
    p_shards    int[],
    p_tokens    bigint[],
    p_moves     bigint[],
    p_stream_id uuid,
    p_version   bigint,
    p_failed    bigint,
    p_delay_ms  bigint,
    p_reason    text,
    p_error     text
)
returns int
language plpgsql
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
    v_now      timestamptz := clock_timestamp();
    v_attempts int;
begin
    if ${schema}.fence_perspective_shards(p_run, p_instance, p_shards, p_tokens, p_moves) <> cardinality(p_shards) then
        return null;
    end if;
    insert into ${schema}.wh_perspective_checkpoints as c
        (run_id, stream_id, version, status, attempts, next_attempt_at, error, created_at, updated_at, failed_at)
    values (p_run, p_stream_id, p_version, case when p_reason is null then 1 else 2 end, 1,
        case when p_reason is null then v_now + p_delay_ms * interval '1 millisecond' end, p_error, v_now, v_now, v_now)
    on conflict (run_id, stream_id) do update
    set status = excluded.status, attempts = c.attempts + 1, next_attempt_at = excluded.next_attempt_at, error = excluded.error,
        updated_at = v_now, failed_at = v_now
    where c.version = excluded.version and c.status <> 2
    returning attempts into v_attempts;
    if v_attempts is not null and p_reason is not null then
        perform ${schema}.bury_perspective_event(p_run, p_instance, p_stream_id, p_failed, p_reason, v_attempts, p_error, v_now);
    end if;
    return v_attempts;
end
$$;
