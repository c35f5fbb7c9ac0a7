--liquibase formatted sql
--changeset whizbang:reschedule_timer runOnChange:true splitStatements:false stripComments:false
-- Moves a pending timer, in the caller's transaction; no row when there is none.
create or replace function ${schema}.reschedule_timer(
    p_id       uuid,
    p_key      text,
    p_delay_us bigint,
    p_due      timestamptz,
    p_now      timestamptz default null
)
returns table (id uuid, hash int, due_in_ms bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
    v_due timestamptz := coalesce(p_due, v_now + p_delay_us * interval '1 microsecond');
begin
    if p_id is not null then
        return query
        update ${schema}.wh_scheduled s set due_at = greatest(v_due, v_now), timer_due = v_due
        where s.message_id = p_id and s.timer_due is not null
        returning s.message_id, s.partition_hash, ceil(extract(epoch from s.due_at - v_now) * 1000)::bigint;
    else
        return query
        update ${schema}.wh_scheduled s set due_at = greatest(v_due, v_now), timer_due = v_due
        where s.timer_key = p_key and s.timer_key is not null
        returning s.message_id, s.partition_hash, ceil(extract(epoch from s.due_at - v_now) * 1000)::bigint;
    end if;
end
$$;
