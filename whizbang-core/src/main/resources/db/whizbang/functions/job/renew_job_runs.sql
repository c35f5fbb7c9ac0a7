--liquibase formatted sql
--changeset whizbang:renew_job_runs runOnChange:true splitStatements:false stripComments:false
-- Renews the leases of runs that are still the caller's, and returns them. Those that somebody else has locked, as an open transaction that
-- deletes their job, come back as not renewed: nobody knows yet, and the others must not wait for it.
-- An expression tells the status: the index of leases, which would serve otherwise, may be full of what is dead.
drop function if exists ${schema}.renew_job_runs(bigint[], bigint[], bigint, timestamptz);
create or replace function ${schema}.renew_job_runs(p_runs bigint[], p_tokens bigint[], p_lease_ms bigint, p_now timestamptz default null)
returns table (run_id bigint, renewed boolean)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
#variable_conflict use_column
begin
    return query
        with held as materialized (
            select k.run_id
            from unnest(p_runs, p_tokens) h(run_id, token)
                 -- The limits have runs be looked for one by one, also by a plan that was made when there were none.
                 cross join lateral (select r.run_id from ${schema}.wh_job_runs r
                                     where r.run_id = h.run_id and r.token = h.token and r.status + 0 = 1 limit 1) k
        ), free as materialized (
            select k.run_id
            from unnest(p_runs, p_tokens) h(run_id, token)
                 cross join lateral (select r.run_id from ${schema}.wh_job_runs r
                                     where r.run_id = h.run_id and r.token = h.token and r.status + 0 = 1
                                     limit 1
                                     for update skip locked) k
        ), renewed as (
            update ${schema}.wh_job_runs r
            set lease_expiry = coalesce(p_now, clock_timestamp()) + p_lease_ms * interval '1 millisecond'
            where r.run_id = any (array(select f.run_id from free f))
            returning r.run_id
        )
        select o.run_id, n.run_id is not null from held o left join renewed n on n.run_id = o.run_id;
end
$$;
