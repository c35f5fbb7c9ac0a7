--liquibase formatted sql
--changeset whizbang:bury_perspective_event runOnChange:true splitStatements:false stripComments:false
-- Puts the event at which a stream has stopped for good among the dead letters, where people look; one letter for a stream of a run.
create or replace function ${schema}.bury_perspective_event(
    p_run      bigint,
    p_instance uuid,
    p_stream   uuid,
    p_version  bigint,
    p_reason   text,
    p_attempts int,
    p_error    text,
    p_now      timestamptz
)
returns void
language sql
as $$
    insert into ${schema}.wh_dead_letters
        (queue, source, reason, attempts, died_at, created_at, seq, message_id, stream_id, stream_key, topic, message_type, headers,
         payload, error, instance_id)
    select 3, 'perspective', p_reason, p_attempts, p_now, e.recorded_at, e.position, e.event_id, e.stream_id, s.stream_key, p.name,
        e.event_type, e.metadata || jsonb_build_object('whizbang-perspective-run', p.run_id::text,
            'whizbang-stream-version', e.version::text),
        e.payload, p_error, p_instance
    from ${schema}.wh_perspectives p
         join ${schema}.wh_events e on e.stream_id = p_stream and e.version = p_version
         join ${schema}.wh_streams s on s.stream_id = e.stream_id
    where p.run_id = p_run
$$;
