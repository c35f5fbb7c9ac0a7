--liquibase formatted sql
--changeset whizbang:next_perspective_death runOnChange:true splitStatements:false stripComments:false
-- Milliseconds until the first of the others whose session is gone counts as dead, as check_members has it; null when there is none. Who
-- knows need not wait for the next poll to take over.
create or replace function ${schema}.next_perspective_death(p_instance uuid, p_dead_ms bigint)
returns bigint
language sql
stable
as $$
    select p_dead_ms + 1 - floor(extract(epoch from clock_timestamp() - min(i.last_heartbeat_at)) * 1000)::bigint
    from ${schema}.wh_service_instances i
    where i.instance_id <> p_instance and 3 = any (i.queues) and i.backend_pid is not null
      and not exists (select from pg_stat_activity a where a.pid = i.backend_pid)
$$;
