--liquibase formatted sql
--changeset whizbang:sweep_queue runOnChange:true splitStatements:false stripComments:false
-- The safety net, every half minute: ready messages below the start of the scans that nobody holds. Finding one means a bug, so it
-- is counted; the message is parked and goes on. Also moves the low ends that new epochs start from.
create or replace function ${schema}.sweep_queue(
    p_queue   smallint,
    p_partitions int,
    p_members int,
    p_rank    int,
    p_memory  jsonb,
    p_now     timestamptz,
    out orphans int,
    out memory  jsonb
)
language plpgsql
as $$
declare
    c_bound constant bigint := least((p_memory ->> 'ahead')::bigint, (p_memory ->> 'first_hole')::bigint - 1);
    v_low   bigint;
    v_claim_low bigint;
    v_lost  bigint[];
begin
    orphans := 0;
    memory := p_memory;
    if (p_memory ->> 'swept_at')::timestamptz > p_now - interval '30 seconds' then
        return;
    end if;
    memory := memory || jsonb_build_object('swept_at', p_now, 'due_from', null);
    select e.low, e.claim_low into v_low, v_claim_low from ${schema}.wh_epoch e where e.queue = p_queue;
    v_lost := array(
        select r.seq
        from (select m.seq, m.partition_hash
              from ${schema}.wh_messages m
              where m.queue = p_queue and m.status = 0 and m.seq > v_low and m.seq <= c_bound
              order by m.seq
              limit 10000) r
        where r.partition_hash % p_partitions % p_members = p_rank
          and r.seq <> all (array(
              select s from ${schema}.wh_claims c cross join lateral unnest(c.seqs) s
              where c.claim_id >= v_claim_low and c.queue = p_queue)));
    if v_lost <> '{}' then
        perform ${schema}.promote_heads(p_queue, ${schema}.park_messages(p_queue, v_lost, p_now), p_now);
        orphans := cardinality(v_lost);
    end if;
    if pg_try_advisory_xact_lock(${schema}.advisory_class(), ${schema}.advisory_key(p_queue, 'sweep')) then
        update ${schema}.wh_epoch e
        set low = greatest(e.low, least((p_memory ->> 'safe')::bigint, coalesce(
                (select m.seq - 1 from ${schema}.wh_messages m
                 where m.queue = p_queue and m.status = 0 and m.seq > e.low
                 order by m.seq limit 1), (p_memory ->> 'safe')::bigint))),
            -- Alone for a moment? Then the lowest claim is exact.
            claim_low = case when pg_try_advisory_xact_lock(
                    ${schema}.advisory_class(), ${schema}.advisory_key(p_queue, 'membership'))
                then ${schema}.lowest_claim(p_queue, e.claim_low) else e.claim_low end
        where e.queue = p_queue;
    end if;
end
$$;
