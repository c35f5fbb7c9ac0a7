--liquibase formatted sql
--changeset whizbang:release_job_runs runOnChange:true splitStatements:false stripComments:false
-- Gives runs back that were not ended, as if they had not been started; their holder can change nothing any more. Those that somebody has
-- locked are left to the end of their leases: who stops does not wait.
create or replace function ${schema}.release_job_runs(p_runs bigint[], p_tokens bigint[], p_now timestamptz default null)
returns int
language plpgsql
as $$
declare
    v_count int;
begin
    with free as (
        select r.run_id
        from unnest(p_runs, p_tokens) h(run_id, token)
             join ${schema}.wh_job_runs r on r.run_id = h.run_id and r.token = h.token and r.status = 1
        order by r.run_id
        for update of r skip locked
    )
    update ${schema}.wh_job_runs r
    set status = case when r.attempts > 1 then 2 else 0 end, attempts = r.attempts - 1, token = r.token + 1, lease_expiry = null,
        holder = null, due_at = coalesce(p_now, clock_timestamp())
    from free f
    where r.run_id = f.run_id;
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
