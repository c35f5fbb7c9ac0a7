--liquibase formatted sql
--changeset whizbang:count_timers runOnChange:true splitStatements:false stripComments:false
-- How many timers are pending; nobody counts further than p_limit.
create or replace function ${schema}.count_timers(p_limit int)
returns int
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
begin
    return (select count(*) from (select from ${schema}.wh_scheduled s where s.timer_due is not null limit p_limit) t);
end
$$;
