--liquibase formatted sql
--changeset whizbang:list_members runOnChange:true splitStatements:false stripComments:false
-- Members of a join by name, behind one of them.
create or replace function ${schema}.list_members(p_join uuid, p_after text, p_limit int)
returns setof ${schema}.wh_join_members
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
begin
    return query
        select m.* from ${schema}.wh_join_members m
        where m.join_id = p_join and m.member > coalesce(p_after, '')
        order by m.member
        limit p_limit;
end
$$;
