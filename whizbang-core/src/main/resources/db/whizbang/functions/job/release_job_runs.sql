--liquibase formatted sql
--changeset whizbang:release_job_runs runOnChange:true splitStatements:false stripComments:false
-- Gives runs back that were not ended, as if they had not been started; their holder can change nothing any more. Those that somebody has
-- locked are left to the end of their leases: who stops does not wait.
-- An expression tells the status: the index of leases, which would serve otherwise, may be full of what is dead.
create or replace function ${schema}.release_job_runs(p_runs bigint[], p_tokens bigint[], p_now timestamptz default null)
returns int
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_count int;
begin
    with free as materialized (
        select k.run_id
        from unnest(p_runs, p_tokens) h(run_id, token)
             -- The limit has runs be looked for one by one, also by a plan that was made when there were none.
             cross join lateral (select r.run_id from ${schema}.wh_job_runs r
                                 where r.run_id = h.run_id and r.token = h.token and r.status + 0 = 1
                                 limit 1
                                 for update skip locked) k
    )
    update ${schema}.wh_job_runs r
    set status = case when r.attempts > 1 then 2 else 0 end, attempts = r.attempts - 1, token = r.token + 1, lease_expiry = null,
        holder = null, due_at = coalesce(p_now, clock_timestamp())
    where r.run_id = any (array(select f.run_id from free f));
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
