--liquibase formatted sql
--changeset whizbang:next_job_ms runOnChange:true splitStatements:false stripComments:false
-- Milliseconds until there is something to do: a job to fire, but for those that the caller cannot fire, a run to start, or a lease to end.
-- Null when nothing is known.
drop function if exists ${schema}.next_job_ms(text[], timestamptz);
create or replace function ${schema}.next_job_ms(p_handlers text[], p_now timestamptz default null, p_except text[] default '{}')
returns bigint
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    return ceil(1000 * extract(epoch from least(
        (select j.next_fire_at from ${schema}.wh_jobs j
         where j.next_fire_at is not null and j.name <> all (p_except) and not ${schema}.job_is_blocked(j.name, j.overlap)
         order by j.next_fire_at
         limit 1),
        (select r.due_at
         from ${schema}.wh_job_runs r join ${schema}.wh_jobs j on j.name = r.job_name
         where r.status in (0, 2) and j.handler = any (p_handlers) and ${schema}.job_run_is_free(r.run_id, r.job_name, j.overlap)
         order by r.due_at
         limit 1),
        (select r.lease_expiry from ${schema}.wh_job_runs r where r.status = 1 order by r.lease_expiry limit 1)) - v_now));
end
$$;
