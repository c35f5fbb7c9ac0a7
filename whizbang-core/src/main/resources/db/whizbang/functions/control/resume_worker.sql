--liquibase formatted sql
--changeset whizbang:resume_worker runOnChange:true splitStatements:false stripComments:false
-- Lets a worker go on, on all instances. False when it was not paused.
create or replace function ${schema}.resume_worker(p_worker text)
returns boolean
language plpgsql
as $$
begin
    delete from ${schema}.wh_paused_workers w where w.worker = p_worker;
    return found;
end
$$;
