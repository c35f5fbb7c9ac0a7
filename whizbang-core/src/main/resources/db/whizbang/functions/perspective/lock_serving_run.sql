--liquibase formatted sql
--changeset whizbang:lock_serving_run runOnChange:true splitStatements:false stripComments:false
-- Stops the run that serves for as long as the transaction lasts, and waits for who is just moving it.
create or replace function ${schema}.lock_serving_run(p_name text)
returns table (run_id bigint, version int, run int, shards int)
language plpgsql
as $$
#variable_conflict use_column
begin
    lock table ${schema}.wh_perspectives in share row exclusive mode;
    perform from ${schema}.wh_perspective_shards s
    where s.run_id = (select p.run_id from ${schema}.wh_perspectives p where p.name = p_name and p.status = 1)
    order by s.shard
    for update;
    return query
        select p.run_id, p.version, p.run, p.shards from ${schema}.wh_perspectives p where p.name = p_name and p.status = 1;
end
$$;
