--liquibase formatted sql
--changeset whizbang:release_leases runOnChange:true splitStatements:false stripComments:false
-- Releases leases of the owners that still have them, at once or when the time is over that they are to last at least. Returns the names that
-- are free now.
create or replace function ${schema}.release_leases(p_names text[], p_owners uuid[], p_at_least_ms bigint[], p_now timestamptz default null)
returns setof text
language plpgsql
set lock_timeout = 0
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    perform ${schema}.require_read_committed();
    return query
        with given as materialized (
            select l.name,
                case when r.at_least_ms > 0 then l.acquired_at + r.at_least_ms * interval '1 millisecond' else '-infinity' end as lasts_until
            from unnest(p_names, p_owners, p_at_least_ms) r (name, owner, at_least_ms)
                 join ${schema}.wh_leases l on l.name = r.name and l.owner = r.owner
            order by l.name
            for update of l
        ), kept as (
            update ${schema}.wh_leases l
            set expires_at = g.lasts_until
            from given g
            where l.name = g.name and g.lasts_until > v_now
        )
        delete from ${schema}.wh_leases l
        using given g
        where l.name = g.name and g.lasts_until <= v_now
        returning l.name;
end
$$;
