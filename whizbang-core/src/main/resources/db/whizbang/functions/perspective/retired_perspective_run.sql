--liquibase formatted sql
--changeset whizbang:retired_perspective_run runOnChange:true splitStatements:false stripComments:false
-- A run that ended a while ago and of which something is left, locked for who cleans up after it. Newer code knows what older code has
-- left, but not the other way round: p_versions are the newest that the caller has. What is replaced needs no code. P_but could not be
-- cleaned up just now and must not keep others from it.
drop function if exists ${schema}.retired_perspective_run(text[], bigint);
create or replace function ${schema}.retired_perspective_run(p_names text[], p_versions int[], p_but bigint[], p_older_ms bigint)
returns table (run_id bigint, name text, version int, run int, is_replaced boolean)
language sql
as $$
    select p.run_id, p.name, p.version, p.run, r.is_replaced
    from unnest(p_names, p_versions) n(name, version)
         join ${schema}.wh_perspectives p on p.name = n.name
         cross join lateral (
             select exists (select from ${schema}.wh_perspectives o
                            where o.name = p.name and o.run = p.run and o.run_id > p.run_id) as is_replaced) r
    where p.status = 2 and not p.cleaned and (p.version <= n.version or r.is_replaced) and p.run_id <> all (p_but)
      and p.retired_at <= clock_timestamp() - p_older_ms * interval '1 millisecond'
    order by p.retired_at
    limit 1
    for update of p skip locked
$$;
