--liquibase formatted sql
--changeset whizbang:0006-work-view splitStatements:false stripComments:false
create view ${schema}.wh_work as
select m.queue,
       m.seq,
       m.message_id,
       m.stream_id,
       m.stream_key,
       m.partition_hash % e.partitions as partition_number,
       case m.status when 0 then 'ready' when 1 then 'waiting' else 'parked' end as status,
       m.attempts,
       m.scheduled_for,
       m.created_at,
       m.topic,
       m.error,
       c.instance_id,
       c.claim_id,
       c.lease_expiry,
       c.lease_expiry < clock_timestamp() as is_expired
from ${schema}.wh_messages m
     join ${schema}.wh_epoch e on e.queue = m.queue
     left join lateral (select h.instance_id, h.claim_id, h.lease_expiry
                        from ${schema}.wh_claims h
                        where h.queue = m.queue and m.seq = any (h.seqs)
                        limit 1) c on true;

comment on view ${schema}.wh_work is
    'Every waiting message with its holder and the end of its lease. For people: do not poll it while the queue is long.';
