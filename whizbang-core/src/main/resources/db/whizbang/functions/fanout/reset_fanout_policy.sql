--liquibase formatted sql
--changeset whizbang:reset_fanout_policy runOnChange:true splitStatements:false stripComments:false
-- Forgets what somebody has edited. False when nobody has.
create or replace function ${schema}.reset_fanout_policy(p_topic text, p_work_key text)
returns boolean
language plpgsql
as $$
begin
    delete from ${schema}.wh_fanout_policies p where p.topic = p_topic and p.work_key = p_work_key and p.edited;
    return found;
end
$$;
