--liquibase formatted sql
--changeset whizbang:start_perspective_run runOnChange:true splitStatements:false stripComments:false
-- Begins a run at the very first event. Nobody else can at the same time: the caller has locked the table.
create or replace function ${schema}.start_perspective_run(p_name text, p_version int, p_run int, p_status smallint, p_shards int)
returns bigint
language plpgsql
as $$
declare
    v_now timestamptz := clock_timestamp();
    v_run bigint;
begin
    insert into ${schema}.wh_perspectives (name, version, run, status, shards, paused, started_at, switched_at)
    values (p_name, p_version, p_run, p_status, p_shards,
        exists (select from ${schema}.wh_perspectives p where p.name = p_name and p.status < 2 and p.paused),
        v_now, case when p_status = 1 then v_now end)
    returning run_id into v_run;
    insert into ${schema}.wh_perspective_shards (run_id, shard, moved_at)
    select v_run, n, v_now from generate_series(0, p_shards - 1) n;
    return v_run;
end
$$;
