--liquibase formatted sql
--changeset whizbang:release_scheduled runOnChange:true splitStatements:false stripComments:false
-- Moves delayed messages that are due to the end of their streams. One caller at a time, so that they keep their order. Says where
-- the next call may start: past the dead rows, but never past a message that is still to be moved.
create or replace function ${schema}.release_scheduled(
    p_queue smallint,
    p_from  timestamptz,
    p_now   timestamptz,
    out next_from timestamptz,
    out more      boolean
)
language plpgsql
as $$
declare
    c_batch constant int := 1000;
    v_moved int;
begin
    next_from := p_from;
    more := false;
    if not pg_try_advisory_xact_lock(${schema}.advisory_class(), ${schema}.advisory_key(p_queue, 'scheduled')) then
        return;
    end if;
    perform ${schema}.announce_enqueue();
    with due as (
        delete from ${schema}.wh_scheduled s
        where s.ctid = any (array(
            select d.ctid
            from ${schema}.wh_scheduled d
            where d.queue = p_queue and d.due_at >= p_from and d.due_at <= p_now
            order by d.due_at, d.id
            limit c_batch))
        returning s.*
    )
    insert into ${schema}.wh_messages
        (queue, partition_hash, size, message_id, stream_id, stream_key, topic, message_type, headers, payload, created_at)
    select p_queue, d.partition_hash, d.size, d.message_id, d.stream_id, d.stream_key, d.topic, d.message_type,
        d.headers, d.payload, d.created_at
    from due d
    order by d.due_at, d.id;
    get diagnostics v_moved = row_count;
    more := v_moved = c_batch;
end
$$;
