--liquibase formatted sql
--changeset whizbang:restart_perspective runOnChange:true splitStatements:false stripComments:false
-- Begins the run that serves anew, under its old number. The caller has locked it and emptied the model.
create or replace function ${schema}.restart_perspective(p_run bigint, p_version int, p_shards int)
returns bigint
language plpgsql
as $$
declare
    v_old ${schema}.wh_perspectives;
    v_new bigint;
begin
    select * into strict v_old from ${schema}.wh_perspectives p where p.run_id = p_run;
    perform ${schema}.retire_perspective_run(p_run);
    v_new := ${schema}.start_perspective_run(v_old.name, p_version, v_old.run, 1::smallint, p_shards);
    update ${schema}.wh_perspectives p set paused = v_old.paused where p.run_id = v_new;
    return v_new;
end
$$;
