--liquibase formatted sql
--changeset whizbang:renew_timers runOnChange:true splitStatements:false stripComments:false
-- The last thing a long transaction does about its timers: those whose time has passed meanwhile are due now. Whoever looks for due messages
-- looks back only a little, and would pass over a row that appears long after its time.
create or replace function ${schema}.renew_timers(p_ids uuid[], p_now timestamptz default null)
returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    -- Not "due_at < v_now": a plan made while there are few timers would then read the whole index of due times.
    update ${schema}.wh_scheduled s set due_at = v_now
    where s.message_id = any (p_ids) and s.timer_due is not null and v_now - s.due_at > interval '0';
end
$$;
