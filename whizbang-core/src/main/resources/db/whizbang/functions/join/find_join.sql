--liquibase formatted sql
--changeset whizbang:find_join runOnChange:true splitStatements:false stripComments:false
-- A join by its identity, or else by its key.
create or replace function ${schema}.find_join(p_join uuid, p_key text)
returns setof ${schema}.wh_joins
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
begin
    if p_join is not null then
        return query select j.* from ${schema}.wh_joins j where j.join_id = p_join;
    else
        return query select j.* from ${schema}.wh_joins j where j.join_key = p_key;
    end if;
end
$$;
