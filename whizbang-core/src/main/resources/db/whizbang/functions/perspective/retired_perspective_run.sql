--liquibase formatted sql
--changeset whizbang:retired_perspective_run runOnChange:true splitStatements:false stripComments:false
-- A run that ended a while ago and of which something is left, locked for who cleans up after it.
create or replace function ${schema}.retired_perspective_run(p_names text[], p_older_ms bigint)
returns table (run_id bigint, name text, version int, run int, is_replaced boolean)
language sql
as $$
    select p.run_id, p.name, p.version, p.run,
        exists (select from ${schema}.wh_perspectives o where o.name = p.name and o.run = p.run and o.run_id > p.run_id)
    from ${schema}.wh_perspectives p
    where p.status = 2 and not p.cleaned and p.name = any (p_names)
      and p.retired_at <= clock_timestamp() - p_older_ms * interval '1 millisecond'
    order by p.retired_at
    limit 1
    for update of p skip locked
$$;
