--liquibase formatted sql
--changeset whizbang:settle_batches runOnChange:true splitStatements:false stripComments:false
-- Ends batches, or parts of them. Returns the keys whose lock is not the caller's any more: of those nothing has changed.
--   p_keys, p_tokens    the locks
--   p_keep              whether a lock stays, because more of its batch is to come
--   p_delays_ms         how long a key waits that is given back; nothing for one that goes to the end of the line
--   p_failed, p_errors  whether it was given back because of a failure, and which that was; 0 no, 1 yes, 2 yes, but nobody knows by which of its
--                       messages: then none has its last try by that, and they go out one by one
--   p_done_*            messages that are done
--   p_blamed_*          messages whose try counts
--   p_dead_*            messages that go to the dead letters
--   p_max_attempts      how often a message may be tried
--   p_own               whether the transaction is the call's own: in one of the application, locks would be held for too long
drop function if exists ${schema}.settle_batches(text, uuid[], uuid[], boolean[], bigint[], int[], text[], uuid[], bigint[], uuid[], bigint[],
    uuid[], bigint[], text[], text[], boolean, timestamptz);
drop function if exists ${schema}.settle_batches(text, uuid[], uuid[], boolean[], bigint[], int[], text[], uuid[], bigint[], uuid[], bigint[],
    uuid[], bigint[], text[], text[], int, boolean, timestamptz);
create or replace function ${schema}.settle_batches(
    p_keys         uuid[],
    p_tokens       uuid[],
    p_keep         boolean[],
    p_delays_ms    bigint[],
    p_failed       int[],
    p_errors       text[],
    p_done_keys    uuid[],
    p_done_seqs    bigint[],
    p_blamed_keys  uuid[],
    p_blamed_seqs  bigint[],
    p_dead_keys    uuid[],
    p_dead_seqs    bigint[],
    p_dead_reasons text[],
    p_dead_errors  text[],
    p_max_attempts int,
    p_own          boolean,
    p_now          timestamptz default null
)
returns uuid[]
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
    v_now     timestamptz := coalesce(p_now, clock_timestamp());
    v_held    uuid[];
    v_rows    tid[];
    v_removed tid[];
begin
    perform ${schema}.require_read_committed();
    select coalesce(array_agg(h.key_id), '{}'), coalesce(array_agg(h.row), '{}') into v_held, v_rows
    from (select k.key_id, k.row
          from (select * from unnest(p_keys, p_tokens) u(key_id, token) order by u.key_id) r
               -- The limit has locks be looked for one by one, in order, also by a plan that was made when there were none; and by their tokens,
               -- as a busy key leaves dead entries with every batch.
               cross join lateral (select l.key_id, l.ctid as row from ${schema}.wh_queue_keys l
                                   where l.token = r.token and l.state = 2 and l.due_at > v_now
                                   limit 1
                                   for update) k
          where k.key_id = r.key_id) h;
    delete from ${schema}.wh_queue_messages m
    where m.ctid = any (array(
        select n.ctid
        from unnest(p_done_keys, p_done_seqs) d(key_id, seq)
             cross join lateral (select o.ctid from ${schema}.wh_queue_messages o where o.key_id = d.key_id and o.seq = d.seq limit 1) n
        where d.key_id = any (v_held)));
    if cardinality(p_blamed_keys) > 0 then
        update ${schema}.wh_queue_messages m
        -- Not a join: it would be by key, and read all messages of that.
        set attempts = least(32767, case p_failed[array_position(p_keys, m.key_id)]
                                        when 2 then least(m.attempts + 1, greatest(m.attempts, p_max_attempts - 1))
                                        else m.attempts + 1 end),
            error = coalesce(p_errors[array_position(p_keys, m.key_id)], m.error)
        where m.ctid = any (array(
            select n.ctid
            from unnest(p_blamed_keys, p_blamed_seqs) b(key_id, seq)
                 cross join lateral (select o.ctid from ${schema}.wh_queue_messages o
                                     where o.key_id = b.key_id and o.seq = b.seq limit 1) n
            where b.key_id = any (v_held)));
    end if;
    if cardinality(p_dead_keys) > 0 then
        perform ${schema}.bury_queue_messages(array_agg(d.key_id), array_agg(d.seq), array_agg(d.reason), array_agg(d.error),
            true, v_now)
        from unnest(p_dead_keys, p_dead_seqs, p_dead_reasons, p_dead_errors) d(key_id, seq, reason, error)
        where d.key_id = any (v_held);
    end if;
    v_removed := ${schema}.remove_queue_keys(array(
        select k.row
        from unnest(p_keys, p_keep, p_failed) r(key_id, keep, failed)
             cross join lateral (select l.ctid as row, l.routing_key from ${schema}.wh_queue_keys l
                                 where l.ctid = v_rows[array_position(v_held, r.key_id)] limit 1) k
        where not r.keep and r.failed = 0 and (p_own or k.routing_key is null)));
    if cardinality(v_removed) < cardinality(v_held) then
        perform ${schema}.announce_enqueue();
        update ${schema}.wh_queue_keys k
        set low = coalesce((select min(m.seq) - 1 from ${schema}.wh_queue_messages m
                            where m.key_id = k.key_id and m.seq > k.low and m.seq <= k.upto), k.upto),
            failures = case when r.failed > 0 then least(k.failures + 1, 1000) when r.keep then k.failures else 0 end,
            suspect_upto = case when r.failed = 2 then k.upto else k.suspect_upto end,
            state = case when r.keep then 2 when r.delay_ms > 0 then 1 else 0 end,
            due_at = case when r.keep then k.due_at else v_now + coalesce(r.delay_ms, 0) * interval '1 millisecond' end,
            place = case when r.keep then k.place else nextval('${schema}.wh_message_seq') end,
            token = case when r.keep then k.token end,
            holder = case when r.keep then k.holder end,
            locked_at = case when r.keep then k.locked_at end
        from unnest(p_keys, p_keep, p_delays_ms, p_failed) r(key_id, keep, delay_ms, failed)
        where k.ctid = v_rows[array_position(v_held, r.key_id)] and k.ctid <> all (v_removed);
    end if;
    return array(select r.key_id from unnest(p_keys) r(key_id) where r.key_id <> all (v_held));
end
$$;
