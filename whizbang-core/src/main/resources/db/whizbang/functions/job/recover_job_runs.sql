--liquibase formatted sql
--changeset whizbang:recover_job_runs runOnChange:true splitStatements:false stripComments:false
-- Runs whose instance has not renewed its lease: they go again, or have failed when that was their last try.
create or replace function ${schema}.recover_job_runs(p_limit int, p_now timestamptz default null)
returns table (run_id bigint, job_name text, attempts int, failed boolean, instance text)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
#variable_conflict use_column
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    perform ${schema}.require_read_committed();
    return query
        with expired as (
            select r.run_id, r.attempts >= j.max_attempts as failed
            from ${schema}.wh_job_runs r join ${schema}.wh_jobs j on j.name = r.job_name
            where r.status = 1 and r.lease_expiry <= v_now
            order by r.lease_expiry
            limit p_limit
            for update of r skip locked
        )
        update ${schema}.wh_job_runs r
        set status = case when e.failed then 4 else 2 end, due_at = v_now, lease_expiry = null, holder = null,
            ended_at = case when e.failed then v_now end,
            error = format('lease expired: %s has not renewed it', r.instance)
        from expired e
        where r.run_id = e.run_id
        returning r.run_id, r.job_name, r.attempts, e.failed, r.instance;
end
$$;
