--liquibase formatted sql
--changeset whizbang:job_is_blocked runOnChange:true splitStatements:false stripComments:false
-- Whether a job may not fire now: one of its runs is not over, or, where runs may overlap, has not even begun. The latter keeps runs from
-- piling up while nobody starts them.
create or replace function ${schema}.job_is_blocked(p_name text, p_overlap boolean)
returns boolean
language sql
stable
as $$
    select exists (
        select from ${schema}.wh_job_runs r
        where r.job_name = p_name and r.status < 3 and (not p_overlap or r.status = 0))
$$;
