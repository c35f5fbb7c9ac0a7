--liquibase formatted sql
--changeset whizbang:list_fanout_topics runOnChange:true splitStatements:false stripComments:false
-- Topics by name; only one when p_topic says which.
create or replace function ${schema}.list_fanout_topics(p_topic text)
returns table (topic text, cron text, every_ms bigint, zone text, next_run_at timestamptz, retry_at timestamptz, started_at timestamptz,
    ended_at timestamptz, last_until timestamptz, candidates bigint, planned bigint, failures int, problem text, seen_at timestamptz,
    unseen_ms bigint, defined_by text)
language sql
as $$
    select t.topic, t.cron, t.every_ms, t.zone, t.next_run_at, t.retry_at, t.started_at, t.ended_at, t.last_until, t.candidates, t.planned,
        t.failures, t.problem, t.seen_at, (extract(epoch from clock_timestamp() - coalesce(t.seen_at, t.created_at)) * 1000)::bigint, t.defined_by
    from ${schema}.wh_fanout_topics t
    where p_topic is null or t.topic = p_topic
    order by t.topic
    limit 1000
$$;
