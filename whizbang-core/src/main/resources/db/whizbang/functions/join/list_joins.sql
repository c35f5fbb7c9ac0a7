--liquibase formatted sql
--changeset whizbang:list_joins runOnChange:true splitStatements:false stripComments:false
-- Open joins, oldest first, behind one of them.
create or replace function ${schema}.list_joins(p_after uuid, p_limit int)
returns setof ${schema}.wh_joins
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
begin
    return query
        select j.* from ${schema}.wh_joins j
        where j.status = 0 and j.join_id > coalesce(p_after, '00000000-0000-0000-0000-000000000000')
        order by j.join_id
        limit p_limit;
end
$$;
