--liquibase formatted sql
--changeset whizbang:due_jobs runOnChange:true splitStatements:false stripComments:false
-- Jobs whose time has come, but for those that the caller cannot fire, with what it takes to know which times that are.
create or replace function ${schema}.due_jobs(p_except text[], p_limit int, p_now timestamptz default null)
returns table (name text, version bigint, handler text, topic text, cron text, every_ms bigint, zone text, payload text,
    payload_type text, misfire smallint, catch_up_max int, overlap boolean, next_fire_at timestamptz, last_ended_at timestamptz,
    known_at timestamptz)
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
        select j.name, j.version, j.handler, j.topic, j.cron, j.every_ms, j.zone, j.payload, j.payload_type, j.misfire,
            j.catch_up_max, j.overlap, j.next_fire_at,
            (select r.ended_at from ${schema}.wh_job_runs r
             where r.job_name = j.name and r.ended_at is not null
             order by r.ended_at desc
             limit 1),
            v_now
        from ${schema}.wh_jobs j
        where j.next_fire_at <= v_now and j.name <> all (p_except) and not ${schema}.job_is_blocked(j.name, j.overlap)
        order by j.next_fire_at
        limit p_limit;
end
$$;
