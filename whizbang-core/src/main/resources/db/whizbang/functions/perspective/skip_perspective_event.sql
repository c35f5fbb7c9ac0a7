--liquibase formatted sql
--changeset whizbang:skip_perspective_event runOnChange:true splitStatements:false stripComments:false
-- Leaves out the event at which a stream has stopped, and notes who wanted it. False when the stream has not stopped right before it.
create or replace function ${schema}.skip_perspective_event(
    p_name      text,
    p_stream_id uuid,
    p_version   bigint,
    p_by        text,
    p_note      text
)
returns boolean
language plpgsql
as $$
declare
    v_now  timestamptz := clock_timestamp();
    v_runs bigint[] := array(select p.run_id from ${schema}.wh_perspectives p where p.name = p_name and p.status < 2);
begin
    update ${schema}.wh_perspective_checkpoints c
    set version = p_version, position = e.position, event_id = e.event_id, status = 1, attempts = 0, next_attempt_at = v_now,
        updated_at = v_now, skipped = coalesce(c.skipped, '[]') || jsonb_build_object(
            'version', p_version, 'by', p_by, 'why', p_note, 'at', v_now, 'error', left(split_part(c.error, E'\n', 1), 1000))
    from ${schema}.wh_events e
    where c.run_id = any (v_runs) and c.stream_id = p_stream_id and c.status <> 0 and c.version = p_version - 1
      and e.stream_id = p_stream_id and e.version = p_version;
    if not found then
        return false;
    end if;
    perform ${schema}.take_letters(array(
        select d.dead_letter_id from ${schema}.wh_dead_letters d
        where d.queue = 3 and d.topic = p_name and d.stream_id = p_stream_id), 'discarded', p_by, p_note, v_now);
    return true;
end
$$;
