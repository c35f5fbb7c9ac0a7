--liquibase formatted sql
--changeset whizbang:purge_leases runOnChange:true splitStatements:false stripComments:false
-- Removes a few leases that expired long ago and that nobody has asked for since.
create or replace function ${schema}.purge_leases(p_now timestamptz)
returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
begin
    delete from ${schema}.wh_leases d
    where d.name = any (array(
        select l.name
        from ${schema}.wh_leases l
        where l.expires_at < p_now - interval '1 hour'
        order by l.expires_at
        limit 20
        for update skip locked));
end
$$;
