--liquibase formatted sql
--changeset whizbang:list_instances runOnChange:true splitStatements:false stripComments:false
-- Who is registered for which queue, with rank and claims. An application registers once for each of its workers.
create or replace function ${schema}.list_instances(p_limit int)
returns table (instance_id uuid, service_name text, host_name text, process_id bigint, queue smallint, rank int, members int,
    started_at timestamptz, last_heartbeat_at timestamptz, silent_ms bigint, claims int, messages bigint)
language plpgsql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
#variable_conflict use_column
begin
    return query
        select i.instance_id, i.service_name, i.host_name, i.process_id, q, array_position(e.members, i.instance_id) - 1,
            cardinality(e.members), i.started_at, i.last_heartbeat_at,
            (extract(epoch from clock_timestamp() - i.last_heartbeat_at) * 1000)::bigint,
            coalesce(c.claims, 0)::int, coalesce(c.messages, 0)::bigint
        from ${schema}.wh_service_instances i
             cross join lateral unnest(i.queues) q
             left join ${schema}.wh_epoch e on e.queue = q
             -- Queue by queue, because the low end of one that nobody works on, or has no claims, does not move.
             left join (select h.instance_id as holder, h.queue as of_queue, count(*) as claims, sum(h.messages) as messages
                        from ${schema}.wh_epoch l
                             cross join lateral (
                                 select d.instance_id, d.queue, cardinality(d.seqs) as messages
                                 from ${schema}.wh_claims d
                                 where d.claim_id >= l.claim_low and d.queue = l.queue
                                 order by d.claim_id
                                 limit 100000) h
                        where l.queue in (1, 2) and cardinality(l.members) > 0
                        group by h.instance_id, h.queue) c on c.holder = i.instance_id and c.of_queue = q
        order by i.service_name, i.host_name, i.process_id, i.started_at, q
        limit p_limit;
end
$$;
