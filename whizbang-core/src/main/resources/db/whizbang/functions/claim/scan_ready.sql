--liquibase formatted sql
--changeset whizbang:scan_ready runOnChange:true splitStatements:false stripComments:false
-- One step of a scan: visits a window of ready messages and says what to do with each.
create or replace function ${schema}.scan_ready(
    p_queue   smallint,
    p_members int,
    p_rank    int,
    p_busy    int[],      -- each partition once
    p_claimed bigint[],
    p_limit   int,
    p_ahead   bigint,
    p_window  int,
    out visited    int,
    out last_seq   bigint,
    out taken      bigint[],
    out partitions int[],
    out bytes      bigint,
    out is_full    boolean,
    out blocked    bigint[],
    out first_hole bigint,
    out holes      int[]
)
language plpgsql
as $$
begin
    with seen as materialized (
        select m.seq, m.stream_id, m.partition_number, m.size
        from ${schema}.wh_messages m
        where m.queue = p_queue and m.status = 0 and m.seq > p_ahead
        order by m.seq
        limit p_window
    ), heads as materialized (
        select h.stream_id
        from ${schema}.wh_messages h
        where h.queue = p_queue and h.status = 1 and h.stream_id = any (array(select distinct s.stream_id from seen s))
    ), judged as (
        select s.seq, s.partition_number, s.size,
            s.partition_number % p_members = p_rank and c.seq is null as mine,
            b.partition_number is not null as busy,
            h.stream_id is not null as blocked
        from seen s
             left join (select unnest(p_busy)) b(partition_number) on b.partition_number = s.partition_number
             left join (select unnest(p_claimed)) c(seq) on c.seq = s.seq
             left join heads h on h.stream_id = s.stream_id
    )
    -- All in the same order, so that one sort serves them all.
    select count(*), max(j.seq),
        array_agg(j.seq order by j.seq) filter (where j.mine and not j.busy and not j.blocked),
        array_agg(j.partition_number order by j.seq) filter (where j.mine and not j.busy and not j.blocked),
        sum(j.size) filter (where j.mine and not j.busy and not j.blocked),
        array_agg(j.seq order by j.seq) filter (where j.mine and not j.busy and j.blocked),
        min(j.seq) filter (where j.mine and j.busy),
        array_agg(j.partition_number order by j.seq) filter (where j.mine and j.busy)
    into visited, last_seq, taken, partitions, bytes, blocked, first_hole, holes
    from judged j;

    is_full := coalesce(cardinality(taken), 0) >= p_limit;
    taken := coalesce(taken[:p_limit], '{}');
    partitions := coalesce(partitions[:p_limit], '{}');
    bytes := coalesce(bytes, 0);
    blocked := coalesce(blocked, '{}');
    holes := coalesce(holes, '{}');
    last_seq := coalesce(case when is_full then taken[p_limit] else last_seq end, p_ahead);
end
$$;
