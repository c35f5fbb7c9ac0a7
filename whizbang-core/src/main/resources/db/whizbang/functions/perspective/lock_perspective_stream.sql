--liquibase formatted sql
--changeset whizbang:lock_perspective_stream runOnChange:true splitStatements:false stripComments:false
-- Stops the run that serves for as long as the transaction lasts, and lets a stream of it begin anew. The caller removes the stream from the
-- model in the same transaction.
create or replace function ${schema}.lock_perspective_stream(p_name text, p_stream_id uuid)
returns table (run_id bigint, version int, run int)
language plpgsql
as $$
#variable_conflict use_column
declare
    v_run ${schema}.wh_perspectives;
begin
    select * into v_run from ${schema}.wh_perspectives p where p.name = p_name and p.status = 1;
    if v_run.run_id is null then
        return;
    end if;
    perform ${schema}.own_model(v_run.run_id);
    -- The new number tells who has read a page that it must be read again.
    update ${schema}.wh_perspective_shards s
    set moves = s.moves + 1
    where s.run_id = v_run.run_id and s.shard = ${schema}.stream_shard(p_stream_id, v_run.shards);
    if not found then
        raise serialization_failure using message = format('Another run of the perspective %s serves now', p_name);
    end if;
    insert into ${schema}.wh_perspective_checkpoints as c
        (run_id, stream_id, version, status, next_attempt_at, created_at, updated_at)
    values (v_run.run_id, p_stream_id, 0, 1, clock_timestamp(), clock_timestamp(), clock_timestamp())
    on conflict (run_id, stream_id) do update
    set version = 0, position = null, event_id = null, status = 1, attempts = 0, error = null, failed_at = null,
        next_attempt_at = excluded.next_attempt_at, updated_at = excluded.updated_at;
    perform ${schema}.take_letters(array(
        select d.dead_letter_id from ${schema}.wh_dead_letters d
        where d.queue = 3 and d.topic = p_name and d.stream_id = p_stream_id
          and d.headers ->> 'whizbang-perspective-run' = v_run.run_id::text), 'replayed', 'whizbang', 'the stream is replayed',
        clock_timestamp());
    return query select v_run.run_id, v_run.version, v_run.run;
end
$$;
