--liquibase formatted sql
--changeset whizbang:purge_job_runs runOnChange:true splitStatements:false stripComments:false
-- Removes runs that ended longer ago than that, or that have p_keep newer ones, at most p_limit of them; says how many. The last run of a
-- job stays.
create or replace function ${schema}.purge_job_runs(p_older_ms bigint, p_keep int, p_limit int, p_now timestamptz default null)
returns int
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_now   timestamptz := coalesce(p_now, clock_timestamp());
    v_count int;
begin
    delete from ${schema}.wh_job_runs d
    where d.run_id = any (array(
        select o.run_id
        from ${schema}.wh_jobs j
             cross join lateral (
                 select max(n.ended_at) as newest, min(n.ended_at) as oldest_kept
                 from (select k.ended_at from ${schema}.wh_job_runs k
                       where k.job_name = j.name and k.ended_at is not null
                       order by k.ended_at desc
                       limit p_keep) n) b
             cross join lateral (
                 select r.run_id from ${schema}.wh_job_runs r
                 where r.job_name = j.name and r.ended_at is not null and r.ended_at < b.newest
                   and r.ended_at < greatest(v_now - p_older_ms * interval '1 millisecond', b.oldest_kept)
                 order by r.ended_at
                 limit p_limit
                 for update skip locked) o
        limit p_limit));
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
