--liquibase formatted sql
--changeset whizbang:delete_fanout_topic runOnChange:true splitStatements:false stripComments:false
-- Forgets a topic with its policies and cursors. False when there is none.
create or replace function ${schema}.delete_fanout_topic(p_topic text)
returns boolean
language plpgsql
as $$
declare
    v_found boolean;
begin
    delete from ${schema}.wh_fanout_topics t where t.topic = p_topic;
    v_found := found;
    delete from ${schema}.wh_fanout_cursors c where c.topic = p_topic;
    return v_found;
end
$$;
