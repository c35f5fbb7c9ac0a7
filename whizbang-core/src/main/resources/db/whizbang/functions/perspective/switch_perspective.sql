--liquibase formatted sql
--changeset whizbang:switch_perspective runOnChange:true splitStatements:false stripComments:false
-- Lets the run that was built serve, if nothing is missing in it that the old one has: it has come as far everywhere, and no stream of it
-- has stopped that goes well there, or has come further. The old one stands still meanwhile. Returns the run that served.
create or replace function ${schema}.switch_perspective(p_run bigint)
returns table (run_id bigint, version int, run int)
language plpgsql
as $$
#variable_conflict use_column
declare
    v_new ${schema}.wh_perspectives;
    v_old ${schema}.wh_perspectives;
begin
    perform ${schema}.require_read_committed();
    lock table ${schema}.wh_perspectives in share row exclusive mode;
    select * into v_new from ${schema}.wh_perspectives p where p.run_id = p_run and p.status = 0;
    select * into v_old from ${schema}.wh_perspectives p where p.name = v_new.name and p.status = 1;
    if v_new.run_id is null or v_old.run_id is null then
        return;
    end if;
    perform from ${schema}.wh_perspective_shards s where s.run_id = v_old.run_id order by s.shard for update;
    if exists (
           select
           from (select distinct n.base_snapshot::text as snapshot, n.base_low as low, n.base_restored as restored
                 from ${schema}.wh_perspective_shards n where n.run_id = p_run) n
                cross join (select distinct coalesce(o.target_snapshot, o.base_snapshot)::text as snapshot,
                                coalesce(o.target_restored, o.base_restored) as restored
                            from ${schema}.wh_perspective_shards o where o.run_id = v_old.run_id) o
           where not ${schema}.tick_covers(n.snapshot::pg_snapshot, n.restored, o.snapshot::pg_snapshot, o.restored)
             -- A later tick without a later event: when nobody appends, the new run has no reason to take one as well.
             and ${schema}.feed_has_news(n.snapshot::pg_snapshot, n.low, n.restored))
       or exists (
           select from ${schema}.wh_perspective_checkpoints c
           where c.run_id = p_run and c.status <> 0
             and not exists (select from ${schema}.wh_perspective_checkpoints o
                             where o.run_id = v_old.run_id and o.stream_id = c.stream_id and o.status <> 0
                               and o.version <= c.version)) then
        return;
    end if;
    perform ${schema}.retire_perspective_run(v_old.run_id);
    update ${schema}.wh_perspectives p set status = 1, switched_at = clock_timestamp() where p.run_id = p_run;
    return query select v_old.run_id, v_old.version, v_old.run;
end
$$;
