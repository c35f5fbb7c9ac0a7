--liquibase formatted sql
--changeset whizbang:count_joins runOnChange:true splitStatements:false stripComments:false
-- How many joins are open, and how many reports wait to be counted; nobody counts further than p_limit.
create or replace function ${schema}.count_joins(p_limit int, out open int, out reports int)
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
begin
    open := (select count(*) from (select from ${schema}.wh_joins j where j.status = 0 limit p_limit) t);
    reports := (select count(*) from (select from ${schema}.wh_join_reports r order by r.report_id limit p_limit) t);
end
$$;
