--liquibase formatted sql
--changeset whizbang:recover_queue_keys runOnChange:true splitStatements:false stripComments:false
-- Puts keys whose wait or lock is over to the end of the line. Of a lock that has expired, every message of the batch counts as tried; when there
-- are several, nobody knows which of them it was: then none has its last try by that, and they go out one by one.
drop function if exists ${schema}.recover_queue_keys(text, timestamptz, timestamptz);
create or replace function ${schema}.recover_queue_keys(p_queue text, p_max_attempts int, p_from timestamptz, p_now timestamptz)
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
    c_batch   constant int := 500;
    v_due     ${schema}.wh_queue_keys[];
    v_rows    tid[];
    v_keys    uuid[];
    v_holders text[];
    v_several uuid[];
begin
    select coalesce(array_agg(d.key), '{}'), array_agg(d.row), array_agg((d.key).key_id), array_agg((d.key).holder)
    into v_due, v_rows, v_keys, v_holders
    from (select k as key, k.ctid as row from ${schema}.wh_queue_keys k
          where k.queue = p_queue and k.state <> 0 and k.due_at >= p_from and k.due_at <= p_now
          order by k.due_at
          limit c_batch
          for update skip locked) d;
    if cardinality(v_due) = 0 then
        return 0;
    end if;
    v_several := array(
        select l.key_id
        from unnest(v_due) l
             cross join lateral (select count(*) as messages
                                 from (select from ${schema}.wh_queue_messages o
                                       where o.key_id = l.key_id and o.seq > l.low and o.seq <= l.upto limit 2) n) c
        where l.state = 2 and c.messages > 1);
    update ${schema}.wh_queue_messages m
    -- Not a join: it would be by key, and read all messages of that.
    set attempts = least(32767, case when m.key_id = any (v_several) then least(m.attempts + 1, greatest(m.attempts, p_max_attempts - 1))
                                     else m.attempts + 1 end),
        error = format('lock expired: %s has not renewed it', v_holders[array_position(v_keys, m.key_id)])
    where m.ctid = any (array(
        select n.ctid
        from unnest(v_due) l
             cross join lateral (select o.ctid from ${schema}.wh_queue_messages o
                                 where o.key_id = l.key_id and o.seq > l.low and o.seq <= l.upto limit 100000) n
        where l.state = 2));
    perform ${schema}.announce_enqueue();
    update ${schema}.wh_queue_keys k
    set state = 0, place = nextval('${schema}.wh_message_seq'), due_at = p_now, token = null, holder = null, locked_at = null,
        failures = least(k.failures + case when k.state = 2 then 1 else 0 end, 1000),
        suspect_upto = case when k.key_id = any (v_several) then k.upto else k.suspect_upto end
    where k.ctid = any (v_rows);
    return cardinality(v_due);
end
$$;
