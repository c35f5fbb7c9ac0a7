--liquibase formatted sql
--changeset whizbang:pause_perspective runOnChange:true splitStatements:false stripComments:false
-- Stops or resumes all runs of a perspective, on every instance. False when there are none.
create or replace function ${schema}.pause_perspective(p_name text, p_paused boolean)
returns boolean
language plpgsql
as $$
begin
    update ${schema}.wh_perspectives p set paused = p_paused where p.name = p_name and p.status < 2;
    return found;
end
$$;
