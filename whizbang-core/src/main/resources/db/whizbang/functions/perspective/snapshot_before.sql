--liquibase formatted sql
--changeset whizbang:snapshot_before runOnChange:true splitStatements:false stripComments:false
-- The same snapshot, but with an xmax of at least an id: those in between, which are not visible in it, become open ones.
create or replace function ${schema}.snapshot_before(p_snapshot pg_snapshot, p_next xid8)
returns pg_snapshot
language sql
immutable
as $$
    select case when pg_snapshot_xmax(p_snapshot) >= p_next then p_snapshot
        else (pg_snapshot_xmin(p_snapshot)::text || ':' || p_next::text || ':' || (
            select coalesce(string_agg(o.id::text, ',' order by o.id), '')
            from (select x.tx::text::numeric as id from pg_snapshot_xip(p_snapshot) x(tx)
                  union all
                  select n from generate_series(pg_snapshot_xmax(p_snapshot)::text::numeric, p_next::text::numeric - 1) n) o)
        )::pg_snapshot end
$$;
