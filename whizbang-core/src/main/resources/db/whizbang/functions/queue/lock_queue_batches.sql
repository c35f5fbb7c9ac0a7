--liquibase formatted sql
--changeset whizbang:lock_queue_batches runOnChange:true splitStatements:false stripComments:false
-- Locks keys that are ready, longest in line first, each with a prefix of its messages. Returns the rows of the keys; those without messages are
-- taken out of the line. Keys are told by where their rows are: by their names, all that is dead of a busy one would be read.
drop function if exists ${schema}.lock_queue_batches(text, bigint, int, int, bigint, int, bigint, text, timestamptz);
create or replace function ${schema}.lock_queue_batches(
    p_queue        text,
    p_low          bigint,
    p_limit        int,
    p_messages     int,
    p_bytes        bigint,
    p_max_attempts int,
    p_lease_ms     bigint,
    p_holder       text,
    p_now          timestamptz,
    out visited int,
    out taken   tid[]
)
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
    v_rows tid[];
    v_full tid[];
begin
    v_rows := array(
        select k.ctid from ${schema}.wh_queue_keys k
        where k.queue = p_queue and k.state = 0 and k.place > p_low
        order by k.place
        limit p_limit
        for update skip locked);
    visited := cardinality(v_rows);
    taken := '{}';
    if visited = 0 then
        return;
    end if;
    perform ${schema}.bury_exhausted(v_rows, p_max_attempts, p_now);
    with batches as materialized (
        select k.ctid as row, b.upto
        from ${schema}.wh_queue_keys k
             cross join lateral (
                 select max(s.seq) as upto
                 from (select n.seq, n.size, sum(n.size::bigint) over (order by n.seq) as total
                       from (select m.seq, m.size from ${schema}.wh_queue_messages m
                             where m.key_id = k.key_id and m.seq > k.low
                             order by m.seq
                             limit case when k.low < k.suspect_upto then 1 else p_messages end) n) s
                 where s.total <= p_bytes or s.total = s.size) b
        where k.ctid = any (v_rows) and b.upto is not null
    ), locked as (
        update ${schema}.wh_queue_keys k
        set state = 2, token = gen_random_uuid(), holder = p_holder, locked_at = p_now, upto = b.upto,
            due_at = p_now + p_lease_ms * interval '1 millisecond'
        from batches b
        where k.ctid = b.row
        returning k.ctid as row, b.row as was
    )
    select coalesce(array_agg(l.row), '{}'), coalesce(array_agg(l.was), '{}') into taken, v_full from locked l;
    if cardinality(taken) < visited then
        perform ${schema}.leave_empty_keys(array(select u.row from unnest(v_rows) u("row") where u.row <> all (v_full)), p_now);
    end if;
end
$$;
