--liquibase formatted sql
--changeset whizbang:perspective_status runOnChange:true splitStatements:false stripComments:false
-- How the runs of one perspective, or of all, stand. Done is a position: what every shard has behind it, on average; failing and dead
-- streams are counted up to a bound.
create or replace function ${schema}.perspective_status(p_name text)
returns table (run_id bigint, name text, version int, run int, status smallint, paused boolean, shards int, held int, done bigint,
    behind bigint, total bigint, retrying int, dead int, started_at timestamptz, switched_at timestamptz, moved_at timestamptz)
language plpgsql
volatile
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
    v_total bigint := ${schema}.last_position();
begin
    return query
        select p.run_id, p.name, p.version, p.run, p.status, p.paused, p.shards, s.held, s.done, s.behind, v_total,
            (select count(*)::int from (select from ${schema}.wh_perspective_checkpoints c
                                        where c.run_id = p.run_id and c.status = 1 limit 10000) r),
            (select count(*)::int from (select from ${schema}.wh_perspective_checkpoints c
                                        where c.run_id = p.run_id and c.status::int = 2 limit 10000) r),
            p.started_at, p.switched_at, s.moved_at
        from ${schema}.wh_perspectives p
             cross join lateral (
                 select count(s.holder) filter (where s.lease_expiry > clock_timestamp())::int as held,
                     coalesce(avg(f.done), 0)::bigint as done, coalesce(greatest(0, v_total - min(f.done)), 0) as behind,
                     max(s.moved_at) as moved_at
                 from ${schema}.wh_perspective_shards s,
                      lateral (select case when s.target_snapshot is null or s.position < s.base_low then s.base_low
                                   else s.position end as done) f
                 where s.run_id = p.run_id) s
        where p.status < 2 and (p_name is null or p.name = p_name)
        order by p.name, p.run_id;
end
$$;
