--liquibase formatted sql
--changeset whizbang:trigger_job runOnChange:true splitStatements:false stripComments:false
-- Adds a run for now, beside the cadence. Nothing when there is no such job.
create or replace function ${schema}.trigger_job(p_name text, p_payload text, p_instance text, p_now timestamptz default null)
returns table (run_id bigint, topic text, payload text, payload_type text, scheduled_at timestamptz)
language plpgsql
as $$
#variable_conflict use_column
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    return query
        with job as (
            select j.* from ${schema}.wh_jobs j where j.name = p_name
        ), run as (
            insert into ${schema}.wh_job_runs as r
                (job_name, scheduled_at, triggered, status, attempts, due_at, started_at, ended_at, instance, payload)
            select j.name, v_now, true, case when j.topic is null then 0 else 3 end, (j.topic is not null)::int, v_now,
                case when j.topic is not null then v_now end, case when j.topic is not null then v_now end,
                case when j.topic is not null then p_instance end, p_payload
            from job j
            returning r.run_id
        )
        select r.run_id, j.topic, coalesce(p_payload, j.payload), j.payload_type, v_now from run r cross join job j;
end
$$;
