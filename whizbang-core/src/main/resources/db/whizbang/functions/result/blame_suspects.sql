--liquibase formatted sql
--changeset whizbang:blame_suspects runOnChange:true splitStatements:false stripComments:false
-- Marks the messages of expired claims, and counts an attempt against those that may have been the reason: the first of each
-- stream, in queue order, as many as the holder worked on at once, whatever number of claims it had. The others were never started.
create or replace function ${schema}.blame_suspects(p_queue smallint, p_claims bigint[])
returns void
language sql
as $$
    with held as materialized (
        select c.instance_id, c.suspects, s.seq
        from ${schema}.wh_claims c cross join lateral unnest(c.seqs) s(seq)
        where c.claim_id = any (p_claims)
    ), lanes as (
        select h.instance_id, h.suspects, m.seq,
            row_number() over (partition by h.instance_id, coalesce(m.stream_id, m.message_id) order by m.seq) as place
        from ${schema}.wh_messages m join held h on h.seq = m.seq
        where m.queue = p_queue and m.seq = any (array(select h.seq from held h))
    ), first_of_lane as (
        select l.seq, row_number() over (partition by l.instance_id order by l.seq) <= coalesce(l.suspects, 2147483647) as started
        from lanes l
        where l.place = 1
    )
    update ${schema}.wh_messages m
    set error = coalesce(m.error, 'lease expired'),
        attempts = least(m.attempts::int + case when f.started then 1 else 0 end, 32767)
    from lanes l left join first_of_lane f on f.seq = l.seq
    where m.queue = p_queue and m.seq = l.seq and m.seq = any (array(select h.seq from held h))
$$;
