--liquibase formatted sql
--changeset whizbang:perspective_members runOnChange:true splitStatements:false stripComments:false
-- Who shares the work of the runs that an instance has the code of: those that have it too and have shown lately that they live. Who is
-- silent need not be dead, but others must not wait until that is certain. Nobody shares a run that is paused.
create or replace function ${schema}.perspective_members(p_instance uuid, p_silence interval)
returns table (run_id bigint, members uuid[])
language sql
stable
as $$
    select p.run_id, case when not p.paused then m.members end
    from ${schema}.wh_perspective_members me
         join ${schema}.wh_perspectives p on p.name = me.name and p.version = me.version and p.status < 2
         cross join lateral (
             select array_agg(o.instance_id order by o.instance_id) as members
             from ${schema}.wh_perspective_members o
                  join ${schema}.wh_service_instances i on i.instance_id = o.instance_id
             where o.name = p.name and o.version = p.version
               and (i.instance_id = p_instance or i.last_heartbeat_at > clock_timestamp() - p_silence)) m
    where me.instance_id = p_instance
$$;
