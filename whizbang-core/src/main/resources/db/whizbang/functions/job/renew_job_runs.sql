--liquibase formatted sql
--changeset whizbang:renew_job_runs runOnChange:true splitStatements:false stripComments:false
-- Renews the leases of runs that are still the caller's, and returns them. Those that somebody else has locked, as an open transaction that
-- deletes their job, come back as not renewed: nobody knows yet, and the others must not wait for it.
drop function if exists ${schema}.renew_job_runs(bigint[], bigint[], bigint, timestamptz);
create or replace function ${schema}.renew_job_runs(p_runs bigint[], p_tokens bigint[], p_lease_ms bigint, p_now timestamptz default null)
returns table (run_id bigint, renewed boolean)
language plpgsql
as $$
#variable_conflict use_column
begin
    return query
        with own as (
            select r.run_id
            from unnest(p_runs, p_tokens) h(run_id, token)
                 join ${schema}.wh_job_runs r on r.run_id = h.run_id and r.token = h.token and r.status = 1
        ), free as (
            select r.run_id
            from unnest(p_runs, p_tokens) h(run_id, token)
                 join ${schema}.wh_job_runs r on r.run_id = h.run_id and r.token = h.token and r.status = 1
            order by r.run_id
            for update of r skip locked
        ), renewed as (
            update ${schema}.wh_job_runs r
            set lease_expiry = coalesce(p_now, clock_timestamp()) + p_lease_ms * interval '1 millisecond'
            from free f
            where r.run_id = f.run_id
            returning r.run_id
        )
        select o.run_id, n.run_id is not null from own o left join renewed n on n.run_id = o.run_id;
end
$$;
