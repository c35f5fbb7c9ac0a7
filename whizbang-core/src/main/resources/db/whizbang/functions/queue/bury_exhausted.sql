--liquibase formatted sql
--changeset whizbang:bury_exhausted runOnChange:true splitStatements:false stripComments:false
-- Moves messages that were tried too often to the dead letters, of keys that the caller has locked.
drop function if exists ${schema}.bury_exhausted(text, uuid[], int, timestamptz);
drop function if exists ${schema}.bury_exhausted(text, tid[], int, timestamptz);
create or replace function ${schema}.bury_exhausted(p_rows tid[], p_max_attempts int, p_now timestamptz)
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
    perform ${schema}.bury_queue_messages(array_agg(m.key_id), array_agg(m.seq), array_agg('max-attempts'::text),
        array_agg(null::text), false, p_now)
    from ${schema}.wh_queue_keys k
         cross join lateral (
             select n.key_id, n.seq, n.attempts from ${schema}.wh_queue_messages n
             where n.key_id = k.key_id and n.seq > k.low and n.seq <= k.upto
             limit 100000) m
    where k.ctid = any (p_rows) and k.failures > 0 and m.attempts >= p_max_attempts
    having count(*) > 0;
end
$$;
