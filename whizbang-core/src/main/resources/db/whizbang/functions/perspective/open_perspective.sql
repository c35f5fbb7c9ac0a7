--liquibase formatted sql
--changeset whizbang:open_perspective runOnChange:true splitStatements:false stripComments:false
-- Sees to it that code of a version has a run to work on: the first one serves at once; a version above the one that serves is built beside
-- it. Tells the run that was begun for it, if one was; an older version gets none.
create or replace function ${schema}.open_perspective(p_name text, p_version int, p_shards int)
returns table (run_id bigint, run int)
language plpgsql
as $$
#variable_conflict use_column
declare
    v_serving  ${schema}.wh_perspectives;
    v_building ${schema}.wh_perspectives;
    v_run      int;
begin
    -- Most starts find everything in place, and need not wait for anybody.
    if exists (select from ${schema}.wh_perspectives p where p.name = p_name and p.status < 2 and p.version >= p_version) then
        return;
    end if;
    lock table ${schema}.wh_perspectives in share row exclusive mode;
    select * into v_serving from ${schema}.wh_perspectives p where p.name = p_name and p.status = 1;
    select * into v_building from ${schema}.wh_perspectives p where p.name = p_name and p.status = 0;
    if v_serving.version >= p_version or v_building.version >= p_version then
        return;
    end if;
    if v_building.run_id is not null then
        perform ${schema}.retire_perspective_run(v_building.run_id);
    end if;
    v_run := 1 + coalesce((select max(p.run) from ${schema}.wh_perspectives p where p.name = p_name), 0);
    return query
        select ${schema}.start_perspective_run(p_name, p_version, v_run, (case when v_serving.run_id is null then 1 else 0 end)::smallint,
            p_shards), v_run;
end
$$;
