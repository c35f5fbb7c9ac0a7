--liquibase formatted sql
--changeset whizbang:mark_queue runOnChange:true splitStatements:false stripComments:false
-- Where the next looks at a queue may start, past what is dead: low, below which no key is ready, and due_from, before which nothing is due.
-- Reads the safe mark first: what is ready and has a lower place is visible to the look that follows.
create or replace function ${schema}.mark_queue(
    p_queue    text,
    p_low      bigint,
    p_due_from timestamptz,
    p_now      timestamptz default null,
    out low      bigint,
    out due_from timestamptz
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_now   timestamptz := coalesce(p_now, clock_timestamp());
    v_from  timestamptz := coalesce(p_due_from, '-infinity');
    v_mark  bigint := ${schema}.safe_mark();
    v_first bigint;
    v_due   timestamptz;
begin
    select k.place into v_first
    from ${schema}.wh_queue_keys k
    where k.queue = p_queue and k.state = 0 and k.place > p_low
    order by k.place
    limit 1;
    low := least(v_first - 1, v_mark);
    select least(
        (select k.due_at from ${schema}.wh_queue_keys k
         where k.queue = p_queue and k.state <> 0 and k.due_at >= v_from
         order by k.due_at limit 1),
        (select s.due_at from ${schema}.wh_scheduled s where s.queue = 5 and s.due_at >= v_from order by s.due_at limit 1))
    into v_due;
    -- A little earlier, for those that commit late.
    due_from := greatest(v_from, least(v_due, v_now) - interval '10 seconds');
end
$$;
