--liquibase formatted sql
--changeset whizbang:claim_job_runs runOnChange:true splitStatements:false stripComments:false
-- Takes runs that have come due, of jobs whose code the instance has. One instance claims at a time, each seeing what the one before
-- it has claimed: this keeps runs apart that may not overlap.
create or replace function ${schema}.claim_job_runs(
    p_holder   uuid,
    p_instance text,
    p_handlers text[],
    p_limit    int,
    p_lease_ms bigint,
    p_now      timestamptz default null
)
returns table (run_id bigint, job_name text, handler text, scheduled_at timestamptz, triggered boolean, attempts int, token bigint,
    payload text, max_attempts int, first_delay_ms bigint, multiplier double precision, max_delay_ms bigint, jitter double precision,
    started_at timestamptz)
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
    if not exists (
        select from ${schema}.wh_job_runs r join ${schema}.wh_jobs j on j.name = r.job_name
        where r.status in (0, 2) and r.due_at <= v_now and j.handler = any (p_handlers)
          and ${schema}.job_run_is_free(r.run_id, r.job_name, j.overlap)) then
        return;
    end if;
    perform pg_advisory_xact_lock(${schema}.advisory_class(), ${schema}.advisory_key(4::smallint, 'job runs'));
    v_now := coalesce(p_now, clock_timestamp());
    return query
        with due as (
            select r.run_id
            from ${schema}.wh_job_runs r join ${schema}.wh_jobs j on j.name = r.job_name
            where r.status in (0, 2) and r.due_at <= v_now and j.handler = any (p_handlers)
              and ${schema}.job_run_is_free(r.run_id, r.job_name, j.overlap)
            order by r.due_at, r.run_id
            limit p_limit
            for update of r skip locked
        )
        update ${schema}.wh_job_runs r
        set status = 1, attempts = r.attempts + 1, token = r.token + 1, holder = p_holder, instance = p_instance,
            lease_expiry = v_now + p_lease_ms * interval '1 millisecond', started_at = v_now
        from due d, ${schema}.wh_jobs j
        where r.run_id = d.run_id and j.name = r.job_name
        returning r.run_id, r.job_name, j.handler, r.scheduled_at, r.triggered, r.attempts, r.token,
            coalesce(r.payload, j.payload), j.max_attempts, j.first_delay_ms, j.multiplier, j.max_delay_ms, j.jitter, r.started_at;
end
$$;
