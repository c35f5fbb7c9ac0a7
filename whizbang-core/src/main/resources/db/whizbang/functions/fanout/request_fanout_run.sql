--liquibase formatted sql
--changeset whizbang:request_fanout_run runOnChange:true splitStatements:false stripComments:false
-- Lets a topic run now, and once more when a run is under way: that one may have passed what the caller has in mind. False when there is no such topic.
create or replace function ${schema}.request_fanout_run(p_topic text, p_now timestamptz default null)
returns boolean
language plpgsql
as $$
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    update ${schema}.wh_fanout_topics t
    -- Another time than that of the run under way, which moves its own on when it ends.
    set next_run_at = case when t.started_at is null or t.ended_at is not null then least(t.next_run_at, v_now)
                           when t.next_run_at = v_now then v_now - interval '1 microsecond'
                           else v_now end,
        retry_at = null
    where t.topic = p_topic;
    return found;
end
$$;
