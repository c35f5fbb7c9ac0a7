--liquibase formatted sql
--changeset whizbang:define_fanout_topic runOnChange:true splitStatements:false stripComments:false
-- Creates a topic, or gives it another cadence. Says what it did. Waits for nobody who holds a topic that is just like that.
create or replace function ${schema}.define_fanout_topic(
    p_topic      text,
    p_cron       text,
    p_every_ms   bigint,
    p_zone       text,
    p_next       timestamptz,
    p_defined_by text,
    p_now        timestamptz default null
)
returns text
language plpgsql
as $$
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    if exists (select from ${schema}.wh_fanout_topics t
               where t.topic = p_topic and (t.cron, t.every_ms, t.zone) is not distinct from (p_cron, p_every_ms, p_zone)) then
        return 'unchanged';
    end if;
    insert into ${schema}.wh_fanout_topics (topic, cron, every_ms, zone, next_run_at, seen_at, defined_by, created_at, updated_at)
    values (p_topic, p_cron, p_every_ms, p_zone, p_next, v_now, p_defined_by, v_now, v_now)
    on conflict do nothing;
    if found then
        return 'created';
    end if;
    update ${schema}.wh_fanout_topics t
    set cron = p_cron, every_ms = p_every_ms, zone = p_zone, next_run_at = p_next, retry_at = null, failures = 0, problem = null,
        defined_by = p_defined_by, updated_at = v_now
    where t.topic = p_topic and (t.cron, t.every_ms, t.zone) is distinct from (p_cron, p_every_ms, p_zone);
    return case when found then 'changed' else 'unchanged' end;
end
$$;
