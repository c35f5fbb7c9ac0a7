--liquibase formatted sql
--changeset whizbang:lock_serving_run runOnChange:true splitStatements:false stripComments:false
-- Stops the run that serves for as long as the transaction lasts, and waits for who is just moving it. The model comes first: pages have
-- changed it when they need their shards.
create or replace function ${schema}.lock_serving_run(p_name text)
returns table (run_id bigint, version int, run int, shards int)
language plpgsql
as $$
#variable_conflict use_column
declare
    v_run bigint := (select p.run_id from ${schema}.wh_perspectives p where p.name = p_name and p.status = 1);
begin
    if v_run is null then
        return;
    end if;
    perform ${schema}.own_model(v_run);
    lock table ${schema}.wh_perspectives in share row exclusive mode;
    if not exists (select from ${schema}.wh_perspectives p where p.run_id = v_run and p.status = 1) then
        raise serialization_failure using message = format('Another run of the perspective %s serves now', p_name);
    end if;
    perform from ${schema}.wh_perspective_shards s where s.run_id = v_run order by s.shard for update;
    return query
        select p.run_id, p.version, p.run, p.shards from ${schema}.wh_perspectives p where p.run_id = v_run;
end
$$;
