--liquibase formatted sql
--changeset whizbang:queue_totals runOnChange:true splitStatements:false stripComments:false
-- How all work queues stand together. Every count ends at p_limit, over all of them: nobody reads long queues to say how long they are.
create or replace function ${schema}.queue_totals(p_limit int, p_now timestamptz default null)
returns table (queues int, paused int, ready int, waiting int, locked int, messages int, delayed int, dead_letters int, oldest_ms bigint)
language sql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
    select n.queues, (select count(*)::int from ${schema}.wh_paused_queues),
        (select count(*)::int from (select from ${schema}.wh_queue_keys k where k.state = 0 limit p_limit) c),
        w.waiting, w.locked,
        (select count(*)::int from (select from ${schema}.wh_queue_messages m order by m.key_id, m.seq limit p_limit) c),
        (select count(*)::int from (select from ${schema}.wh_scheduled s where s.queue = 5 order by s.due_at limit p_limit) c),
        (select count(*)::int from (select from ${schema}.wh_dead_letters d where d.queue = 5 order by d.dead_letter_id limit p_limit) c),
        (extract(epoch from coalesce(p_now, clock_timestamp()) - n.first) * 1000)::bigint
    from (select count(*)::int as queues, min(f.due_at) as first
          from ${schema}.queue_names(null, p_limit) q
               left join lateral (
                   select k.due_at from ${schema}.wh_queue_keys k
                   where k.queue = q.name collate "C" and k.state = 0 order by k.place limit 1) f on true) n
         cross join (
             select count(*) filter (where c.state = 1)::int as waiting, count(*) filter (where c.state = 2)::int as locked
             from (select k.state from ${schema}.wh_queue_keys k where k.state <> 0 limit p_limit) c) w
$$;
