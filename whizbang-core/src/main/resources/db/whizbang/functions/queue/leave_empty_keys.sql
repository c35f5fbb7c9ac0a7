--liquibase formatted sql
--changeset whizbang:leave_empty_keys runOnChange:true splitStatements:false stripComments:false
-- Takes keys that were found without messages, locked by the caller, out of the line: removes them, or puts off for a moment those that a producer
-- is about to use.
create or replace function ${schema}.leave_empty_keys(p_rows tid[], p_now timestamptz)
returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
begin
    perform ${schema}.remove_queue_keys(p_rows);
    update ${schema}.wh_queue_keys k
    set state = 1, due_at = p_now + interval '50 milliseconds'
    where k.ctid = any (p_rows);
end
$$;
