--liquibase formatted sql
--changeset whizbang:claim_heads runOnChange:true splitStatements:false stripComments:false
-- Takes due heads, and behind each a piece of its line straight from the parked ones. Bounded by heads visited: those of others and
-- of claimed partitions stay in front, so the next call goes on behind them.
drop function if exists ${schema}.claim_heads(smallint, int, int, int, int[], int, bigint, jsonb, timestamptz);
create or replace function ${schema}.claim_heads(
    p_queue   smallint,
    p_partitions int,
    p_members int,
    p_rank    int,
    p_busy    int[],
    p_limit   int,
    p_bytes   bigint,
    p_memory  jsonb,
    p_is_due  boolean,
    p_now     timestamptz,
    out seqs       bigint[],
    out partitions int[],
    out bytes      bigint,
    out more       boolean,
    out held_back  boolean,
    out memory     jsonb
)
language plpgsql
set enable_nestloop = off
as $$
declare
    c_window constant int := p_limit * (least(p_members, 8) + 1) + 32;
    v_from    timestamptz := coalesce((p_memory ->> 'due_from')::timestamptz, '-infinity');
    v_visited int;
    v_first   timestamptz;
    v_at      timestamptz;
    v_seq     bigint;
    v_full    boolean;
    v_streams uuid[];
begin
    if not p_is_due then
        seqs := '{}';
        partitions := '{}';
        bytes := 0;
        more := false;
        held_back := false;
        memory := jsonb_build_object(
            'due_from', p_now - interval '10 seconds', 'due_at', null, 'due_seq', null, 'due_first', null);
        return;
    end if;
    with visited as materialized (
        select m.scheduled_for, m.seq, m.stream_id, m.partition_hash % p_partitions as partition_number, m.size
        from ${schema}.wh_messages m
        where m.queue = p_queue and m.status = 1
          and (m.scheduled_for, m.seq) > (coalesce((p_memory ->> 'due_at')::timestamptz, v_from), coalesce((p_memory ->> 'due_seq')::bigint, 0))
          and m.scheduled_for <= p_now
        order by m.scheduled_for, m.seq
        limit c_window
    ), free as materialized (
        select v.*, row_number() over by_time as place, sum(v.size) over by_time as bytes
        from visited v
             left join (select distinct unnest(p_busy)) b(partition_number) on b.partition_number = v.partition_number
        where v.partition_number % p_members = p_rank and b.partition_number is null
        window by_time as (order by v.scheduled_for, v.seq)
    ), taken as materialized (
        -- At least one, however large: it must go some time.
        select * from free f where f.place <= p_limit and (f.bytes <= p_bytes or f.place = 1) order by f.place
    ), last_one as (
        (select t.scheduled_for, t.seq from taken t
         where (select count(*) from free) > (select count(*) from taken) order by t.place desc limit 1)
        union all
        (select v.scheduled_for, v.seq from visited v order by v.scheduled_for desc, v.seq desc limit 1)
        limit 1
    )
    select (select count(*) from visited), (select min(v.scheduled_for) from visited v),
        (select l.scheduled_for from last_one l), (select l.seq from last_one l),
        (select count(*) from free) > count(*),
        array_agg(t.seq), array_agg(t.partition_number), coalesce(sum(t.size), 0), array_agg(t.stream_id),
        (select count(*) from visited v where v.partition_number % p_members = p_rank) > (select count(*) from free)
    into v_visited, v_first, v_at, v_seq, v_full, seqs, partitions, bytes, v_streams, held_back
    from taken t;
    seqs := coalesce(seqs, '{}');
    partitions := coalesce(partitions, '{}');
    more := v_full or v_visited >= c_window;
    v_first := least((p_memory ->> 'due_first')::timestamptz, v_first);
    if v_visited < c_window and not v_full then
        -- The end of the line: start over next time, a little before the first head seen, for those that commit late.
        memory := jsonb_build_object(
            'due_from', least(v_first, p_now) - interval '10 seconds', 'due_at', null, 'due_seq', null, 'due_first', null);
    else
        memory := jsonb_build_object('due_at', v_at, 'due_seq', v_seq, 'due_first', v_first);
    end if;
    if seqs <> '{}' and p_limit > cardinality(seqs) then
        select seqs || coalesce(array_agg(l.seq), '{}'), partitions || coalesce(array_agg(l.partition_number), '{}'),
            bytes + coalesce(sum(l.size), 0)
        into seqs, partitions, bytes
        from ${schema}.lines_behind(p_queue, p_partitions, v_streams, p_limit - cardinality(seqs), p_bytes - bytes) l;
    end if;
end
$$;
