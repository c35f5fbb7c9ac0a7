--liquibase formatted sql
--changeset whizbang:set_fanout_policy runOnChange:true splitStatements:false stripComments:false
-- Writes a policy. What the code says leaves alone what somebody has edited. False when that is so, when nothing changes, or when there is no
-- such topic. Waits for nobody who holds a policy that need not be changed.
create or replace function ${schema}.set_fanout_policy(
    p_topic     text,
    p_work_key  text,
    p_every_ms  bigint,
    p_jitter_ms bigint,
    p_edited    boolean,
    p_now       timestamptz default null
)
returns boolean
language plpgsql
as $$
begin
    if exists (select from ${schema}.wh_fanout_policies p
               where p.topic = p_topic and p.work_key = p_work_key
                 and (p.edited and not p_edited
                      or (p.every_ms, p.jitter_ms, p.edited) is not distinct from (p_every_ms, p_jitter_ms, p_edited))) then
        return false;
    end if;
    insert into ${schema}.wh_fanout_policies as p (topic, work_key, every_ms, jitter_ms, edited, updated_at)
    select t.topic, p_work_key, p_every_ms, p_jitter_ms, p_edited, coalesce(p_now, clock_timestamp())
    from ${schema}.wh_fanout_topics t
    where t.topic = p_topic
    on conflict (topic, work_key) do update
    set every_ms = excluded.every_ms, jitter_ms = excluded.jitter_ms, edited = excluded.edited, updated_at = excluded.updated_at
    where (p_edited or not p.edited)
      and (p.every_ms, p.jitter_ms, p.edited) is distinct from (excluded.every_ms, excluded.jitter_ms, excluded.edited);
    return found;
end
$$;
