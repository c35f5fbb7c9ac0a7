--liquibase formatted sql
--changeset whizbang:list_jobs runOnChange:true splitStatements:false stripComments:false
-- Jobs by name, each with its newest run; only one when p_name says which.
drop function if exists ${schema}.list_jobs(text, text, int);
create or replace function ${schema}.list_jobs(p_name text, p_after text, p_limit int, p_now timestamptz default null)
returns table (name text, handler text, topic text, cron text, every_ms bigint, zone text, enabled boolean, paused boolean,
    misfire smallint, catch_up_max int, overlap boolean, next_fire_at timestamptz, fired_at timestamptz, seen_at timestamptz, seen_ms bigint, problem text,
    defined_by text, updated_at timestamptz, open_runs int, failing boolean,
    run_id bigint, job_name text, scheduled_at timestamptz, triggered boolean, status smallint, attempts int, due_at timestamptz,
    started_at timestamptz, ended_at timestamptz, error text, instance text)
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
#variable_conflict use_column
begin
    return query
        select j.name, j.handler, j.topic, j.cron, j.every_ms, j.zone, j.enabled, j.paused, j.misfire, j.catch_up_max, j.overlap,
            j.next_fire_at, j.fired_at, j.seen_at,
            (extract(epoch from coalesce(p_now, clock_timestamp()) - coalesce(j.seen_at, j.updated_at)) * 1000)::bigint, j.problem, j.defined_by, j.updated_at,
            (select count(*)::int
             from (select from ${schema}.wh_job_runs o where o.job_name = j.name and o.status < 3 limit 10000) n),
            coalesce((select e.status = 4 from ${schema}.wh_job_runs e
                      where e.job_name = j.name and e.ended_at is not null
                      order by e.ended_at desc
                      limit 1), false),
            r.run_id, r.job_name, r.scheduled_at, r.triggered, r.status, r.attempts, r.due_at, r.started_at, r.ended_at, r.error, r.instance
        from ${schema}.wh_jobs j
             -- As a range, and in this order, only the index of a job's runs serves: going back through all runs would pass those of busy jobs.
             left join lateral (
                 select n.* from ${schema}.wh_job_runs n
                 where n.job_name >= j.name and n.job_name <= j.name
                 order by n.job_name, n.run_id desc
                 limit 1) r on true
        where (p_name is null or j.name = p_name) and (p_after is null or j.name > p_after)
        order by j.name
        limit p_limit;
end
$$;
