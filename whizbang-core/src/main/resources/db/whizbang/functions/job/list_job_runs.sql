--liquibase formatted sql
--changeset whizbang:list_job_runs runOnChange:true splitStatements:false stripComments:false
-- Runs of a job, the newest first, from below a number on.
create or replace function ${schema}.list_job_runs(p_name text, p_before bigint, p_limit int)
returns table (run_id bigint, job_name text, scheduled_at timestamptz, triggered boolean, status smallint, attempts int,
    due_at timestamptz, started_at timestamptz, ended_at timestamptz, error text, instance text)
language sql
stable
as $$
    select r.run_id, r.job_name, r.scheduled_at, r.triggered, r.status, r.attempts, r.due_at, r.started_at, r.ended_at, r.error, r.instance
    from ${schema}.wh_job_runs r
    where r.job_name = p_name and (p_before is null or r.run_id < p_before)
    order by r.run_id desc
    limit p_limit
$$;
