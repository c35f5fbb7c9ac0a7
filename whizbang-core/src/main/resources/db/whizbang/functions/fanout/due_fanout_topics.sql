--liquibase formatted sql
--changeset whizbang:due_fanout_topics runOnChange:true splitStatements:false stripComments:false
-- Topics of these whose planner is to be asked now.
create or replace function ${schema}.due_fanout_topics(p_topics text[], p_now timestamptz default null)
returns table (topic text, cron text, every_ms bigint, zone text, next_run_at timestamptz, known_at timestamptz)
language plpgsql
stable
as $$
#variable_conflict use_column
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    return query
        select t.topic, t.cron, t.every_ms, t.zone, t.next_run_at, v_now
        from ${schema}.wh_fanout_topics t
        where t.topic = any (p_topics) and t.next_run_at <= v_now and (t.retry_at is null or t.retry_at <= v_now)
        order by t.next_run_at, t.topic;
end
$$;
