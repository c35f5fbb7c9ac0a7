--liquibase formatted sql
--changeset whizbang:pause_job runOnChange:true splitStatements:false stripComments:false
-- Stops a job's cadence, or lets it go on with the next time from now. False when there is no such job.
create or replace function ${schema}.pause_job(p_name text, p_paused boolean, p_next timestamptz)
returns boolean
language plpgsql
as $$
begin
    update ${schema}.wh_jobs j
    set paused = p_paused, problem = case when p_paused then j.problem end,
        next_fire_at = case when p_paused or not j.enabled then null when j.paused or j.problem is not null then p_next else j.next_fire_at end
    where j.name = p_name;
    return found;
end
$$;
