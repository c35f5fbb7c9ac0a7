--liquibase formatted sql
--changeset whizbang:perspective_shares runOnChange:true splitStatements:false stripComments:false
-- The shards of all runs that an instance has the code of, and which of them are its own: each belongs to one of those that have the code
-- and have shown lately that they live. Who is silent need not be dead, but others must not wait until that is certain.
create or replace function ${schema}.perspective_shares(p_instance uuid, p_silence interval)
returns table (run_id bigint, shard int, is_own boolean)
language sql
stable
as $$
    select s.run_id, s.shard,
        not p.paused and m.members[1 + ((s.shard + s.run_id) % cardinality(m.members))::int] = p_instance
    from ${schema}.wh_perspective_members me
         join ${schema}.wh_perspectives p on p.name = me.name and p.version = me.version and p.status < 2
         cross join lateral (
             select array_agg(o.instance_id order by o.instance_id) as members
             from ${schema}.wh_perspective_members o
                  join ${schema}.wh_service_instances i on i.instance_id = o.instance_id
             where o.name = p.name and o.version = p.version
               and (i.instance_id = p_instance or i.last_heartbeat_at > clock_timestamp() - p_silence)) m
         join ${schema}.wh_perspective_shards s on s.run_id = p.run_id
    where me.instance_id = p_instance
$$;
