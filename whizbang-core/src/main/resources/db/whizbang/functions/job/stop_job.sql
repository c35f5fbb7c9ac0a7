--liquibase formatted sql
--changeset whizbang:stop_job runOnChange:true splitStatements:false stripComments:false
-- Takes a job out that cannot be fired, so that it does not come up again before somebody defines it anew. False when the job has changed,
-- or somebody is just changing it.
create or replace function ${schema}.stop_job(p_name text, p_version bigint, p_fired timestamptz, p_problem text)
returns boolean
language plpgsql
as $$
begin
    if not ${schema}.lock_due_job(p_name, p_version, p_fired) then
        return false;
    end if;
    update ${schema}.wh_jobs j set next_fire_at = null, problem = p_problem where j.name = p_name;
    return true;
end
$$;
