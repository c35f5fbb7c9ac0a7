--liquibase formatted sql
--changeset whizbang:bury_queue_messages runOnChange:true splitStatements:false stripComments:false
-- Moves messages of work queues to the dead letters.
drop function if exists ${schema}.bury_queue_messages(text, uuid[], bigint[], text[], text[], boolean, timestamptz);
create or replace function ${schema}.bury_queue_messages(
    p_key_ids uuid[],
    p_seqs    bigint[],
    p_reasons text[],
    p_errors  text[],
    p_tried   boolean,
    p_now     timestamptz
)
returns void
language sql
set enable_seqscan = off
set enable_bitmapscan = off
-- What was deleted, and why, are put together by hash: as loops, however well they are guessed, they would be read once for each message.
set enable_nestloop = off
set enable_mergejoin = off
set jit = off
as $$
    with told as materialized (
        select * from unnest(p_key_ids, p_seqs, p_reasons, p_errors) t(key_id, seq, reason, error)
    ), keys as materialized (
        select d.key_id, l.stream_id, l.routing_key
        from (select distinct t.key_id from told t) d
             cross join lateral (select k.stream_id, k.routing_key from ${schema}.wh_queue_keys k where k.key_id = d.key_id limit 1) l
    ), gone as (
        delete from ${schema}.wh_queue_messages m
        where m.ctid = any (array(
            select n.ctid from told l
                cross join lateral (select o.ctid from ${schema}.wh_queue_messages o
                                    where o.key_id = l.key_id and o.seq = l.seq limit 1) n))
        returning m.*
    )
    insert into ${schema}.wh_dead_letters
        (queue, reason, attempts, died_at, created_at, seq, message_id, stream_id, stream_key, topic, message_type, headers, payload,
         error)
    select 5, t.reason, g.attempts + case when p_tried then 1 else 0 end, p_now, g.created_at, g.seq, g.message_id,
        k.stream_id, case when k.routing_key <> k.stream_id::text then k.routing_key end,
        g.queue, g.message_type, g.headers, g.payload, coalesce(t.error, g.error)
    from gone g
         join told t on t.key_id = g.key_id and t.seq = g.seq
         join keys k on k.key_id = g.key_id
    -- Letters of a key are replayed in the order of their numbers.
    order by g.seq
$$;
