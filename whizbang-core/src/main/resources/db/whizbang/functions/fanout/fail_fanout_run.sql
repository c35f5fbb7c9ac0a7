--liquibase formatted sql
--changeset whizbang:fail_fanout_run runOnChange:true splitStatements:false stripComments:false
-- Notes that a run has failed, and when it is tried again: twice as late each time. Returns in how many milliseconds that is; null when the coordinator
-- is not the topic's any more.
create or replace function ${schema}.fail_fanout_run(
    p_topic    text,
    p_token    bigint,
    p_problem  text,
    p_first_ms bigint,
    p_most_ms  bigint,
    p_now      timestamptz default null
)
returns bigint
language plpgsql
as $$
#variable_conflict use_column
declare
    v_now   timestamptz := coalesce(p_now, clock_timestamp());
    v_delay bigint;
begin
    update ${schema}.wh_fanout_topics t
    set failures = t.failures + 1, problem = p_problem, ended_at = v_now,
        retry_at = v_now + least(p_most_ms, p_first_ms * (1 << least(t.failures, 20))) * interval '1 millisecond'
    where t.topic = p_topic and t.token = p_token
    returning (extract(epoch from t.retry_at - v_now) * 1000)::bigint into v_delay;
    return v_delay;
end
$$;
