--liquibase formatted sql
--changeset whizbang:resume_queue runOnChange:true splitStatements:false stripComments:false
-- Has a queue handed out again. False when it was not paused.
create or replace function ${schema}.resume_queue(p_queue text)
returns boolean
language plpgsql
as $$
begin
    delete from ${schema}.wh_paused_queues q where q.name = p_queue;
    return found;
end
$$;
