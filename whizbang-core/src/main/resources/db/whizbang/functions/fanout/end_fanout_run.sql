--liquibase formatted sql
--changeset whizbang:end_fanout_run runOnChange:true splitStatements:false stripComments:false
-- Ends a run. The topic goes on with its next time, unless somebody has asked for another one meanwhile. False when the coordinator is not the
-- topic's any more.
create or replace function ${schema}.end_fanout_run(
    p_topic      text,
    p_token      bigint,
    p_expected   timestamptz,
    p_until      timestamptz,
    p_next       timestamptz,
    p_candidates bigint,
    p_planned    bigint,
    p_problem    text,
    p_now        timestamptz default null
)
returns boolean
language plpgsql
as $$
begin
    update ${schema}.wh_fanout_topics t
    set next_run_at = case when t.next_run_at = p_expected then p_next else t.next_run_at end, last_until = p_until,
        ended_at = coalesce(p_now, clock_timestamp()), candidates = p_candidates, planned = p_planned, failures = 0, problem = p_problem,
        retry_at = null
    where t.topic = p_topic and t.token = p_token;
    return found;
end
$$;
