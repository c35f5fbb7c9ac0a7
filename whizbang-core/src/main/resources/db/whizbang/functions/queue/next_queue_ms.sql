--liquibase formatted sql
--changeset whizbang:next_queue_ms runOnChange:true splitStatements:false stripComments:false
-- Milliseconds until something of these queues is due by itself: a delayed message, the end of a wait or of a lock. Null when nothing is.
create or replace function ${schema}.next_queue_ms(p_queues text[], p_from timestamptz, p_now timestamptz default null)
returns bigint
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_from timestamptz := coalesce(p_from, '-infinity');
    v_now  timestamptz := coalesce(p_now, clock_timestamp());
begin
    return ceil(1000 * extract(epoch from least(
        (select min(f.due_at)
         from unnest(p_queues) q(name)
              cross join lateral (
                  select k.due_at from ${schema}.wh_queue_keys k
                  where k.queue = q.name collate "C" and k.state <> 0 and k.due_at >= v_from
                  order by k.due_at limit 1) f
         -- Not asked of each key: a paused queue would be read to its end.
         where not exists (select from ${schema}.wh_paused_queues p where p.name = q.name collate "C")),
        (select s.due_at from ${schema}.wh_scheduled s
         where s.queue = 5 and s.due_at >= v_from
         order by s.due_at limit 1)) - v_now));
end
$$;
