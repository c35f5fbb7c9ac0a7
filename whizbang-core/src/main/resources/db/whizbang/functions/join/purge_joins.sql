--liquibase formatted sql
--changeset whizbang:purge_joins runOnChange:true splitStatements:false stripComments:false
-- Removes the oldest join that was closed longer ago than that, at most p_limit members at a time; says how many rows went.
create or replace function ${schema}.purge_joins(p_older_ms bigint, p_limit int, p_now timestamptz default null)
returns int
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_now   timestamptz := coalesce(p_now, clock_timestamp());
    v_join  uuid;
    v_count int;
begin
    select j.join_id into v_join from ${schema}.wh_joins j
    where j.closed_at < v_now - p_older_ms * interval '1 millisecond'
    order by j.closed_at
    limit 1
    for update skip locked;
    if v_join is null then
        return 0;
    end if;
    delete from ${schema}.wh_join_members d
    where d.ctid = any (array(select m.ctid from ${schema}.wh_join_members m where m.join_id = v_join order by m.member limit p_limit));
    get diagnostics v_count = row_count;
    if v_count < p_limit then
        delete from ${schema}.wh_joins j where j.join_id = v_join;
        v_count := v_count + 1;
    end if;
    return v_count;
end
$$;
