--liquibase formatted sql
--changeset whizbang:list_leases runOnChange:true splitStatements:false stripComments:false
-- Leases that are held, in the order of their names, behind one of them; or the one of a name.
create or replace function ${schema}.list_leases(p_name text, p_after text, p_limit int, p_now timestamptz default null)
returns table (name text, token bigint, holder text, acquired_at timestamptz, renewed_at timestamptz, expires_at timestamptz)
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
#variable_conflict use_column
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    if p_name is not null then
        return query
            select l.name, l.token, l.holder, l.acquired_at, l.renewed_at, l.expires_at
            from ${schema}.wh_leases l
            where l.name = p_name and l.expires_at > v_now;
    else
        return query
            select l.name, l.token, l.holder, l.acquired_at, l.renewed_at, l.expires_at
            from ${schema}.wh_leases l
            where l.name > coalesce(p_after, '') and l.expires_at > v_now
            order by l.name
            limit p_limit;
    end if;
end
$$;
