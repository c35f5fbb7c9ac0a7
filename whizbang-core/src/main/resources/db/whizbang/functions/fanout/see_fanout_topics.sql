--liquibase formatted sql
--changeset whizbang:see_fanout_topics runOnChange:true splitStatements:false stripComments:false
-- Notes that an instance has the planners of these topics.
create or replace function ${schema}.see_fanout_topics(p_topics text[], p_now timestamptz default null)
returns int
language plpgsql
as $$
declare
    v_now   timestamptz := coalesce(p_now, clock_timestamp());
    v_count int;
begin
    update ${schema}.wh_fanout_topics t set seen_at = v_now
    where t.topic = any (array(
        select o.topic from ${schema}.wh_fanout_topics o
        where o.topic = any (p_topics) and (o.seen_at is null or o.seen_at < v_now - interval '30 seconds')
        for no key update skip locked));
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
