--liquibase formatted sql
--changeset whizbang:begin_fanout_run runOnChange:true splitStatements:false stripComments:false
-- Makes the holder of a lease the coordinator of a topic, if the topic still stands as the caller has seen it. Whoever was the coordinator before can
-- plan nothing more. Waits for nobody who holds the topic: that is no time for it either.
create or replace function ${schema}.begin_fanout_run(p_topic text, p_token bigint, p_expected timestamptz, p_now timestamptz default null)
returns boolean
language plpgsql
as $$
begin
    update ${schema}.wh_fanout_topics t
    set token = p_token, started_at = coalesce(p_now, clock_timestamp()), ended_at = null
    where t.topic = any (array(
        select o.topic from ${schema}.wh_fanout_topics o
        where o.topic = p_topic and o.next_run_at = p_expected and o.token < p_token
        for no key update skip locked));
    return found;
end
$$;
