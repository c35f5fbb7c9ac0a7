--liquibase formatted sql
--changeset whizbang:fire_job runOnChange:true splitStatements:false stripComments:false
-- Moves a job on from a time that has come, and writes the runs for it. Returns their numbers, in order; nothing when somebody else was
-- faster, or the job has changed. One row without a number says "not now": a transaction that is still open has changed the job, and nobody
-- waits for that here, or all other jobs would wait too.
create or replace function ${schema}.fire_job(
    p_name        text,
    p_version     bigint,
    p_fired       timestamptz,
    p_next        timestamptz,
    p_times       timestamptz[],
    p_handed_over boolean,
    p_skipped     timestamptz,
    p_reason      text,
    p_instance    text,
    p_now         timestamptz default null
)
returns table (run_id bigint, scheduled_at timestamptz)
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    if not ${schema}.lock_due_job(p_name, p_version, p_fired) then
        return query select null::bigint, null::timestamptz from ${schema}.wh_jobs j
            where j.name = p_name and j.version = p_version and j.next_fire_at = p_fired;
        return;
    end if;
    update ${schema}.wh_jobs j
    set next_fire_at = p_next, fired_at = coalesce(p_times[cardinality(p_times)], j.fired_at)
    where j.name = p_name;
    if p_skipped is not null then
        insert into ${schema}.wh_job_runs (job_name, scheduled_at, triggered, status, due_at, ended_at, instance, error)
        values (p_name, p_skipped, false, 5, v_now, v_now, p_instance, p_reason)
        on conflict do nothing;
    end if;
    return query
        insert into ${schema}.wh_job_runs as r
            (job_name, scheduled_at, triggered, status, attempts, due_at, started_at, ended_at, instance)
        select p_name, t.at, false, case when p_handed_over then 3 else 0 end, p_handed_over::int, v_now,
            case when p_handed_over then v_now end, case when p_handed_over then v_now end,
            case when p_handed_over then p_instance end
        from unnest(p_times) with ordinality t(at, n)
        order by t.n
        on conflict do nothing
        returning r.run_id, r.scheduled_at;
end
$$;
