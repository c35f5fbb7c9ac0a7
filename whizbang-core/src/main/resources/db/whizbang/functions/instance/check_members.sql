--liquibase formatted sql
--changeset whizbang:check_members runOnChange:true splitStatements:false stripComments:false
-- Shows that the caller is alive, and removes who is not: silent for long, or silent for a while with its session gone.
create or replace function ${schema}.check_members(p_queue smallint, p_instance uuid, p_request jsonb, p_now timestamptz)
returns void
language plpgsql
as $$
declare
    v_heartbeat interval := make_interval(secs => (p_request ->> 'heartbeat_ms')::double precision / 1000);
    v_dead      interval := make_interval(secs => (p_request ->> 'dead_ms')::double precision / 1000);
    v_stale     interval := make_interval(secs => (p_request ->> 'stale_ms')::double precision / 1000);
begin
    update ${schema}.wh_service_instances i
    set last_heartbeat_at = p_now
    where i.instance_id = p_instance and i.last_heartbeat_at <= p_now - v_heartbeat;

    -- Skip locked: a locked row is just being renewed by its owner, who may wait for a lock of ours.
    delete from ${schema}.wh_service_instances i
    where i.instance_id = any (array(
        select d.instance_id
        from ${schema}.wh_service_instances d
        where d.instance_id <> p_instance
          and (d.last_heartbeat_at < p_now - v_stale
               or d.last_heartbeat_at < p_now - v_dead
                  and d.backend_pid is not null
                  and not exists (select from pg_stat_activity a where a.pid = d.backend_pid))
        for update skip locked));

    perform ${schema}.refresh_members(p_queue);
end
$$;
