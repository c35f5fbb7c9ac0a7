--liquibase formatted sql
--changeset whizbang:delete_job runOnChange:true splitStatements:false stripComments:false
-- Removes a job and all its runs. A run that is under way finds out with its next renewal.
create or replace function ${schema}.delete_job(p_name text)
returns boolean
language plpgsql
as $$
begin
    delete from ${schema}.wh_jobs j where j.name = p_name;
    return found;
end
$$;
