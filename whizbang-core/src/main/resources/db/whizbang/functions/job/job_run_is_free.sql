--liquibase formatted sql
--changeset whizbang:job_run_is_free runOnChange:true splitStatements:false stripComments:false
-- Whether a run that has not begun may begin as far as the other runs of its job are concerned: where runs may not overlap, they go one by
-- one in the order of their numbers.
create or replace function ${schema}.job_run_is_free(p_run_id bigint, p_name text, p_overlap boolean)
returns boolean
language sql
stable
as $$
    select p_overlap or not exists (
        select from ${schema}.wh_job_runs o
        where o.job_name = p_name and o.status < 3 and o.run_id <> p_run_id and (o.status = 1 or o.run_id < p_run_id))
$$;
