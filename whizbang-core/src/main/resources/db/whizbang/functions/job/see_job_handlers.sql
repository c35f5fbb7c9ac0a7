--liquibase formatted sql
--changeset whizbang:see_job_handlers runOnChange:true splitStatements:false stripComments:false
-- Notes that an instance has the code of these jobs.
create or replace function ${schema}.see_job_handlers(p_handlers text[], p_now timestamptz default null)
returns int
language plpgsql
as $$
declare
    v_now   timestamptz := coalesce(p_now, clock_timestamp());
    v_count int;
begin
    update ${schema}.wh_jobs j set seen_at = v_now
    where j.name = any (array(
        select o.name from ${schema}.wh_jobs o
        where o.handler = any (p_handlers) and (o.seen_at is null or o.seen_at < v_now - interval '30 seconds')
        for no key update skip locked));
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
