--liquibase formatted sql
--changeset whizbang:queue_statistics runOnChange:true splitStatements:false stripComments:false
-- How a queue stands, for health and gauges. Every count ends at p_limit: nobody reads a long queue to say how long it is.
create or replace function ${schema}.queue_statistics(
    p_queue smallint,
    p_limit int,
    out ready        int,
    out waiting      int,
    out parked       int,
    out scheduled    int,
    out dead_letters int,
    out claims       int,
    out oldest_ms    bigint
)
language plpgsql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_low          bigint;
    v_claim_low    bigint;
    v_oldest_ready timestamptz;
    v_oldest_head  timestamptz;
begin
    select e.low, e.claim_low into v_low, v_claim_low from ${schema}.wh_epoch e where e.queue = p_queue;
    select count(*), min(m.since) into ready, v_oldest_ready
    from (select coalesce(r.ready_since, r.created_at) as since from ${schema}.wh_messages r
          where r.queue = p_queue and r.status = 0 and r.seq > v_low
          order by r.seq limit p_limit) m;
    select count(*), min(m.since) into waiting, v_oldest_head
    from (select coalesce(h.ready_since, h.created_at) as since from ${schema}.wh_messages h
          where h.queue = p_queue and h.status = 1 and h.scheduled_for is not null
          order by h.scheduled_for limit p_limit) m;
    select count(*) into parked
    from (select from ${schema}.wh_messages p where p.queue = p_queue and p.status = 2 limit p_limit) m;
    select count(*) into scheduled
    from (select from ${schema}.wh_scheduled s where s.queue = p_queue limit p_limit) m;
    select count(*) into dead_letters
    from (select from ${schema}.wh_dead_letters d where d.queue = p_queue limit p_limit) m;
    -- Dead claims below that are not read: they grow without end while some transaction is left open.
    select count(*) into claims
    from (select from ${schema}.wh_claims c where c.claim_id >= v_claim_low and c.queue = p_queue order by c.claim_id limit p_limit) m;
    oldest_ms := extract(epoch from clock_timestamp() - least(v_oldest_ready, v_oldest_head)) * 1000;
end
$$;
