--liquibase formatted sql
--changeset whizbang:retry_perspective_stream runOnChange:true splitStatements:false stripComments:false
-- What an operator wants when he has removed the cause: the stream is tried again, and its letter is not one any more.
create or replace function ${schema}.retry_perspective_stream(p_name text, p_stream_id uuid, p_by text, p_note text)
returns boolean
language plpgsql
as $$
begin
    perform ${schema}.take_letters(array(
        select d.dead_letter_id from ${schema}.wh_dead_letters d
        where d.queue = 3 and d.topic = p_name and d.stream_id = p_stream_id), 'replayed', p_by, p_note, clock_timestamp());
    return ${schema}.rearm_perspective_stream(p_name, null, p_stream_id) > 0;
end
$$;
