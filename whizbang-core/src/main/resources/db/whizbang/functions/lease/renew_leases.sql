--liquibase formatted sql
--changeset whizbang:renew_leases runOnChange:true splitStatements:false stripComments:false
-- Renews leases and returns the owners whose they still are. What has expired is gone, even if nobody else has taken it yet.
create or replace function ${schema}.renew_leases(p_names text[], p_owners uuid[], p_duration_ms bigint[], p_now timestamptz default null)
returns setof uuid
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
    if current_setting('synchronous_commit') = 'off' then
        perform set_config('synchronous_commit', 'on', true);
    end if;
    return query
        with due as materialized (
            select l.name, r.duration_ms
            from unnest(p_names, p_owners, p_duration_ms) r (name, owner, duration_ms)
                 join ${schema}.wh_leases l on l.name = r.name and l.owner = r.owner
            where l.expires_at > v_now
            order by l.name
            for update of l
        )
        update ${schema}.wh_leases l
        set renewed_at = v_now, expires_at = greatest(l.expires_at, v_now + d.duration_ms * interval '1 millisecond')
        from due d
        where l.name = d.name
        returning l.owner;
end
$$;
