--liquibase formatted sql
--changeset whizbang:renew_job_runs runOnChange:true splitStatements:false stripComments:false
-- Renews the leases of runs; returns those that are still the caller's.
create or replace function ${schema}.renew_job_runs(p_runs bigint[], p_tokens bigint[], p_lease_ms bigint, p_now timestamptz default null)
returns table (run_id bigint)
language plpgsql
as $$
#variable_conflict use_column
begin
    return query
        update ${schema}.wh_job_runs r
        set lease_expiry = coalesce(p_now, clock_timestamp()) + p_lease_ms * interval '1 millisecond'
        from unnest(p_runs, p_tokens) h(run_id, token)
        where r.run_id = h.run_id and r.token = h.token and r.status = 1
        returning r.run_id;
end
$$;
