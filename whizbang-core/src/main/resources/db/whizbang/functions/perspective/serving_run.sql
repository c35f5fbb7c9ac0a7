--liquibase formatted sql
--changeset whizbang:serving_run runOnChange:true splitStatements:false stripComments:false
create or replace function ${schema}.serving_run(p_name text)
returns table (run_id bigint, version int, run int)
language sql
stable
as $$
    select p.run_id, p.version, p.run from ${schema}.wh_perspectives p where p.name = p_name and p.status = 1
$$;
