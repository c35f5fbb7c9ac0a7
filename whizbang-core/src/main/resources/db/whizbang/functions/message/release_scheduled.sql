--liquibase formatted sql
--changeset whizbang:release_scheduled runOnChange:true splitStatements:false stripComments:false
-- Moves delayed messages that are due to the end of their streams: timers fire here, once, because their row goes with the move. One caller
-- at a time, so that they keep their order. Says where the next call may start: past the dead rows, but never past a message that is still
-- to be moved; whose share got messages, so that they hear of it; and whether timers were among them.
drop function if exists ${schema}.release_scheduled(smallint, timestamptz, timestamptz);
create or replace function ${schema}.release_scheduled(
    p_queue smallint,
    p_from  timestamptz,
    p_now   timestamptz,
    out next_from timestamptz,
    out more      boolean,
    out held_back boolean,
    out ranks     int[],
    out fired     boolean
)
language plpgsql
as $$
declare
    c_batch constant int := 2000;
    v_moved int;
    v_left  timestamptz;
begin
    next_from := p_from;
    more := false;
    held_back := true;
    ranks := '{}';
    fired := false;
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
            limit c_batch
            -- An open transaction that has cancelled or moved a timer holds up that one and no other.
            for update skip locked))
        returning s.*
    ), moved as (
        insert into ${schema}.wh_messages
            (queue, partition_hash, size, message_id, stream_id, stream_key, topic, message_type, headers, payload, created_at, ready_since)
        select p_queue, d.partition_hash, d.size, d.message_id, d.stream_id, d.stream_key, d.topic, d.message_type,
            case when d.timer_due is null then d.headers
                else d.headers || ${schema}.timer_headers(d.message_id, d.timer_key, d.timer_due, d.due_at, p_now) end, d.payload,
            case when d.timer_due is null then d.created_at else p_now end, d.due_at
        from due d
        order by d.due_at, d.id
        returning partition_hash
    )
    select count(*), coalesce(array_agg(distinct m.partition_hash % e.partitions % nullif(cardinality(e.members), 0)), '{}'),
        exists (select from due d where d.timer_due is not null)
    into v_moved, ranks, fired
    from moved m cross join ${schema}.wh_epoch e
    where e.queue = p_queue;
    more := v_moved = c_batch;
    select d.due_at into v_left
    from ${schema}.wh_scheduled d
    where d.queue = p_queue and d.due_at >= p_from and d.due_at <= p_now
    order by d.due_at
    limit 1;
    held_back := v_left is not null and not more;
    -- A little earlier, for those that commit late.
    next_from := greatest(p_from, least(v_left, p_now) - interval '10 seconds');
end
$$;
