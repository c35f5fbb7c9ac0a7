--liquibase formatted sql
--changeset whizbang:report_member runOnChange:true splitStatements:false stripComments:false
-- Reports a member by hand. False when it is no member of that join. Waits for nobody, and counts nothing yet.
create or replace function ${schema}.report_member(p_join uuid, p_member text, p_failed boolean, p_reason text, p_now timestamptz default null)
returns boolean
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_outcome smallint;
begin
    select m.outcome into v_outcome from ${schema}.wh_join_members m where m.join_id = p_join and m.member = p_member;
    if v_outcome is null then
        return false;
    end if;
    if v_outcome = 0 then
        insert into ${schema}.wh_join_reports (join_id, member, failed, reason, reported_at)
        values (p_join, p_member, p_failed, p_reason, coalesce(p_now, clock_timestamp()));
    end if;
    return true;
end
$$;
