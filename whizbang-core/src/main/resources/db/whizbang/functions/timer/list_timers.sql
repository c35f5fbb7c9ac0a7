--liquibase formatted sql
--changeset whizbang:list_timers runOnChange:true splitStatements:false stripComments:false
-- Pending timers in the order of their times, after a place. Looks at a bounded number of delayed messages, however few of them are wanted:
-- the last row, without a message, says where it stopped when there may be more.
create or replace function ${schema}.list_timers(p_topic text, p_after_due timestamptz, p_after_id bigint, p_limit int)
returns setof ${schema}.wh_scheduled
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    c_window constant int := greatest(10 * p_limit, 1000);
    v_row    ${schema}.wh_scheduled;
    v_seen   int := 0;
    v_found  int := 0;
begin
    for v_row in
        select * from ${schema}.wh_scheduled s
        where s.queue = 1 and (s.due_at, s.id) > (coalesce(p_after_due, '-infinity'), coalesce(p_after_id, 0))
        order by s.due_at, s.id
        limit c_window
    loop
        v_seen := v_seen + 1;
        if v_row.timer_due is not null and v_row.topic = coalesce(p_topic, v_row.topic) then
            v_found := v_found + 1;
            return next v_row;
        end if;
        exit when v_found = p_limit;
    end loop;
    if v_found = p_limit or v_seen = c_window then
        v_row.message_id := null;
        v_row.payload := null;
        return next v_row;
    end if;
end
$$;
