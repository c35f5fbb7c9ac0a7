--liquibase formatted sql
--changeset whizbang:take_perspective_shards runOnChange:true splitStatements:false stripComments:false
-- Gives back what is not the instance's own, but for what it is busy with; takes what is and that nobody else holds; renews what it has
-- held for half the time. Skips what is locked: somebody is just moving it.
create or replace function ${schema}.take_perspective_shards(
    p_instance    uuid,
    p_lease_ms    bigint,
    p_silence     interval,
    p_busy_runs   bigint[],
    p_busy_shards int[],
    p_now         timestamptz
)
returns void
language plpgsql
as $$
declare
    v_lease interval := p_lease_ms * interval '1 millisecond';
begin
    -- Who shares a run is found once for the run, and shards are read once: there may be many of them.
    with runs as materialized (
        select m.run_id, m.members from ${schema}.perspective_members(p_instance, p_silence) m
    ), unwanted as (
        select s.run_id, s.shard
        from ${schema}.wh_perspective_shards s
             left join runs r on r.run_id = s.run_id
        where s.holder = p_instance and ${schema}.shard_owner(r.members, s.run_id, s.shard) is distinct from p_instance
          and not exists (select from unnest(p_busy_runs, p_busy_shards) b(run_id, shard)
                          where b.run_id = s.run_id and b.shard = s.shard)
        order by s.run_id, s.shard
        for update of s skip locked
    )
    update ${schema}.wh_perspective_shards s
    set holder = null, lease_expiry = null
    from unwanted u
    where s.run_id = u.run_id and s.shard = u.shard;

    with runs as materialized (
        select m.run_id, m.members from ${schema}.perspective_members(p_instance, p_silence) m
    ), wanted as (
        select s.run_id, s.shard
        from ${schema}.wh_perspective_shards s
             join runs r on r.run_id = s.run_id
        where (${schema}.shard_owner(r.members, s.run_id, s.shard) = p_instance and s.holder is distinct from p_instance
               and (s.holder is null or s.lease_expiry <= p_now
                    or not exists (select from ${schema}.wh_service_instances i where i.instance_id = s.holder)))
           or (s.holder = p_instance and s.lease_expiry <= p_now + v_lease / 2)
        order by s.run_id, s.shard
        for update of s skip locked
    )
    update ${schema}.wh_perspective_shards s
    set token = s.token + case when s.holder = p_instance then 0 else 1 end, holder = p_instance, lease_expiry = p_now + v_lease
    from wanted n
    where s.run_id = n.run_id and s.shard = n.shard;
end
$$;
