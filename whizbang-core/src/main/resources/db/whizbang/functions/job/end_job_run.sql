--liquibase formatted sql
--changeset whizbang:end_job_run runOnChange:true splitStatements:false stripComments:false
-- Ends a try of a run: 3 succeeded, 4 failed for good, 2 to be tried again after p_delay_ms. False when the run is not the caller's any more.
-- An expression tells the status: the index of leases, which would serve otherwise, may be full of what is dead.
create or replace function ${schema}.end_job_run(
    p_run_id   bigint,
    p_token    bigint,
    p_status   smallint,
    p_delay_ms bigint,
    p_error    text,
    p_now      timestamptz default null
)
returns boolean
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    update ${schema}.wh_job_runs r
    set status = p_status, error = p_error, lease_expiry = null, holder = null,
        due_at = case when p_status = 2 then v_now + p_delay_ms * interval '1 millisecond' else r.due_at end,
        ended_at = case when p_status <> 2 then v_now end
    where r.run_id = p_run_id and r.token = p_token and r.status + 0 = 1;
    return found;
end
$$;
