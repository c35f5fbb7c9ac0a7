--liquibase formatted sql
--changeset whizbang:request_fanout_run runOnChange:true splitStatements:false stripComments:false
-- Lets a topic run now. False when there is no such topic.
create or replace function ${schema}.request_fanout_run(p_topic text, p_now timestamptz default null)
returns boolean
language plpgsql
as $$
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    update ${schema}.wh_fanout_topics t
    set next_run_at = least(t.next_run_at, v_now), retry_at = null
    where t.topic = p_topic;
    return found;
end
$$;
