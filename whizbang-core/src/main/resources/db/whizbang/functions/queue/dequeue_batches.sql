--liquibase formatted sql
--changeset whizbang:dequeue_batches runOnChange:true splitStatements:false stripComments:false
-- Hands out the messages of up to p_limit keys, each under a lock of its own.
--   p_low       no ready key has this place or a lower one: see mark_queue
--   p_due       whether to look also for delayed messages, waits and locks whose time is over
--   p_due_from  no such time is earlier; nothing when that is not known
-- One row without a key says that only keys without messages were met, that those are gone, and that there may be more behind the place in seq.
create or replace function ${schema}.dequeue_batches(
    p_queue        text,
    p_limit        int,
    p_messages     int,
    p_bytes        bigint,
    p_max_attempts int,
    p_lease_ms     bigint,
    p_holder       text,
    p_low          bigint,
    p_due          boolean,
    p_due_from     timestamptz,
    p_now          timestamptz default null
)
returns table (key_id uuid, routing_key text, token uuid, seq bigint, attempts smallint, error text, created_at timestamptz,
    message_id uuid, message_type text, headers jsonb, payload text, waited_ms bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
#variable_conflict use_column
declare
    c_empties constant int := 500;
    v_now   timestamptz := coalesce(p_now, clock_timestamp());
    v_from  timestamptz := coalesce(p_due_from, '-infinity');
    v_low   bigint := p_low;
    v_taken tid[] := '{}';
    v_some  record;
    v_empty record;
    v_empties int := 0;
begin
    perform ${schema}.require_read_committed();
    if p_due then
        perform ${schema}.release_queue_messages(v_from, v_now);
    end if;
    if exists (select from ${schema}.wh_paused_queues q where q.name = p_queue) then
        return;
    end if;
    if p_due then
        perform ${schema}.recover_queue_keys(p_queue, p_max_attempts, v_from, v_now);
    end if;
    loop
        select * into v_some
        from ${schema}.lock_queue_batches(p_queue, v_low, p_limit - cardinality(v_taken), p_messages, p_bytes, p_max_attempts,
            p_lease_ms, p_holder, v_now);
        v_taken := v_taken || v_some.taken;
        exit when cardinality(v_some.taken) = v_some.visited or cardinality(v_taken) >= p_limit;
        -- Keys that turned out to be empty must not be taken for the end of the line.
        v_empty := ${schema}.skip_empty_keys(p_queue, v_low, c_empties, v_now);
        v_low := v_empty.low;
        v_empties := v_empties + v_some.visited - cardinality(v_some.taken) + v_empty.visited;
        exit when v_empties >= c_empties;
    end loop;
    if v_taken = '{}' and v_empties >= c_empties then
        -- To be committed before it goes on: however many there are, none is visited in vain.
        seq := v_low;
        return next;
        return;
    end if;
    return query
        select k.key_id, k.routing_key, k.token, m.seq, m.attempts, m.error, m.created_at, m.message_id, m.message_type, m.headers,
            m.payload, (extract(epoch from v_now - m.created_at) * 1000)::bigint
        from ${schema}.wh_queue_keys k
             -- The limit has the messages be looked for key by key, also by a plan that was made when there were none.
             cross join lateral (
                 select n.* from ${schema}.wh_queue_messages n
                 where n.key_id = k.key_id and n.seq > k.low and n.seq <= k.upto
                 order by n.seq
                 limit p_messages) m
        where k.ctid = any (v_taken)
        order by k.place, m.seq;
end
$$;
