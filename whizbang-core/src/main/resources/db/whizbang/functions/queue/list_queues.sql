--liquibase formatted sql
--changeset whizbang:list_queues runOnChange:true splitStatements:false stripComments:false
-- How queues stand. Every count ends at p_limit: nobody reads a long queue to say how long it is.
create or replace function ${schema}.list_queues(p_names text[], p_limit int, p_now timestamptz default null)
returns table (name text, ready int, waiting int, locked int, messages int, delayed int, dead_letters int, oldest_ms bigint,
    paused_at timestamptz, paused_by text)
language sql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
    select q.name,
        (select count(*)::int from (select from ${schema}.wh_queue_keys k where k.queue = q.name collate "C" and k.state = 0 limit p_limit) c),
        w.waiting, w.locked,
        -- From key to key, and never as a join that the planner may turn round.
        (select count(*)::int
         from (select from (select r.key_id from (select k.key_id from ${schema}.wh_queue_keys k
                                                  where k.queue = q.name collate "C" and k.state = 0 order by k.place limit p_limit) r
                            union all
                            select o.key_id from (select k.key_id from ${schema}.wh_queue_keys k
                                                  where k.queue = q.name collate "C" and k.state <> 0 order by k.due_at limit p_limit) o) k
               cross join lateral (
                   select from ${schema}.wh_queue_messages m where m.key_id = k.key_id order by m.seq limit p_limit) m
               limit p_limit) c),
        (select count(*)::int from (select from ${schema}.wh_scheduled s where s.queue::int = 5 and s.topic = q.name limit p_limit) c),
        (select count(*)::int from (select from ${schema}.wh_dead_letters d
                                    where d.topic = q.name and d.queue = 5 order by d.dead_letter_id desc limit p_limit) c),
        (select (extract(epoch from coalesce(p_now, clock_timestamp()) - k.due_at) * 1000)::bigint
         from ${schema}.wh_queue_keys k where k.queue = q.name collate "C" and k.state = 0 order by k.place limit 1),
        p.paused_at, p.paused_by
    from unnest(p_names) q(name)
         cross join lateral (
             select count(*) filter (where c.state = 1)::int as waiting, count(*) filter (where c.state = 2)::int as locked
             from (select k.state from ${schema}.wh_queue_keys k where k.queue = q.name collate "C" and k.state <> 0 limit p_limit) c) w
         left join ${schema}.wh_paused_queues p on p.name = q.name collate "C"
    order by q.name
$$;
