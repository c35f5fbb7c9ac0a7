--liquibase formatted sql
--changeset whizbang:bury_messages runOnChange:true splitStatements:false stripComments:false
-- Moves messages to the dead letters, and reports those that belong to joins as failed; returns the streams they were heads of.
create or replace function ${schema}.bury_messages(p_queue smallint, p_instance uuid, p_outcomes jsonb, p_now timestamptz)
returns uuid[]
language sql
as $$
    with told as (
        select (o ->> 'seq')::bigint as seq, o ->> 'reason' as reason, o ->> 'error' as error,
            coalesce((o ->> 'tried')::boolean, true) as tried
        from jsonb_array_elements(p_outcomes) o
        where o ->> 'kind' = 'dead'
    ), gone as (
        delete from ${schema}.wh_messages m
        where m.queue = p_queue and m.seq = any (array(select t.seq from told t))
        returning m.*
    ), buried as (
        insert into ${schema}.wh_dead_letters
            (queue, reason, attempts, died_at, created_at, seq, message_id, stream_id, stream_key, topic, message_type, headers,
             payload, error, instance_id, source)
        select g.queue, t.reason, g.attempts + case when t.tried then 1 else 0 end, p_now, g.created_at, g.seq, g.message_id, g.stream_id, g.stream_key, g.topic,
            g.message_type, g.headers, g.payload, coalesce(t.error, g.error), p_instance,
            g.headers ->> 'whizbang-source'
        from gone g join told t on t.seq = g.seq
        -- Letters of a stream are replayed in the order of their numbers.
        order by g.seq
    ), reported as (
        insert into ${schema}.wh_join_reports (join_id, member, failed, reason, reported_at)
        select ${schema}.join_of(g.headers), ${schema}.member_of(g.headers, g.message_id), true, t.reason, p_now
        from gone g join told t on t.seq = g.seq
        where g.queue = 1 and ${schema}.join_of(g.headers) is not null
        order by g.seq
    )
    select coalesce(array_agg(g.stream_id), '{}') from gone g where g.status <> 0 and g.stream_id is not null
$$;
