--liquibase formatted sql
--changeset whizbang:build_perspective runOnChange:true splitStatements:false stripComments:false
-- Begins a run beside the one that serves. Nothing when one is being built already.
create or replace function ${schema}.build_perspective(p_name text, p_version int, p_shards int)
returns table (run_id bigint, run int)
language plpgsql
as $$
#variable_conflict use_column
declare
    v_run int;
begin
    lock table ${schema}.wh_perspectives in share row exclusive mode;
    if exists (select from ${schema}.wh_perspectives p where p.name = p_name and p.status = 0) then
        return;
    end if;
    v_run := 1 + coalesce((select max(p.run) from ${schema}.wh_perspectives p where p.name = p_name), 0);
    return query select ${schema}.start_perspective_run(p_name, p_version, v_run, 0::smallint, p_shards), v_run;
end
$$;
