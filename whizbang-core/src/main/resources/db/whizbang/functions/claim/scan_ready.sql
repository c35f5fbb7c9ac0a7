--liquibase formatted sql
--changeset whizbang:scan_ready runOnChange:true splitStatements:false stripComments:false
-- One step of a scan: visits a window of ready messages and says what to do with each.
create or replace function ${schema}.scan_ready(
    p_queue   smallint,
    p_members int,
    p_rank    int,
    p_busy    int[],
    p_claimed bigint[],
    p_limit   int,
    p_bytes   bigint,
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
declare
    v_free int;
begin
    with seen as materialized (
        select m.seq, m.stream_id, m.partition_number, m.size
        from ${schema}.wh_messages m
        where m.queue = p_queue and m.status = 0 and m.seq > p_ahead
        order by m.seq
        limit p_window
    ), mine as materialized (
        select s.*, b.partition_number is not null as busy
        from seen s
             left join (select distinct unnest(p_busy)) b(partition_number) on b.partition_number = s.partition_number
             left join (select unnest(p_claimed)) c(seq) on c.seq = s.seq
        where s.partition_number % p_members = p_rank and c.seq is null
    ), heads as materialized (
        select h.stream_id
        from ${schema}.wh_messages h
        where h.queue = p_queue and h.status = 1 and h.stream_id = any (array(select distinct m.stream_id from mine m where not m.busy))
    ), free as materialized (
        select m.seq, m.partition_number, m.size, h.stream_id is not null as blocked,
            sum(m.size) over by_seq - m.size as bytes_before, row_number() over by_seq as place
        from mine m left join heads h on h.stream_id = m.stream_id
        where not m.busy
        window by_seq as (partition by h.stream_id is not null order by m.seq)
    ), chosen as materialized (
        -- At least one, however large: it must go some time.
        select f.* from free f where not f.blocked and f.place <= p_limit and (f.bytes_before < p_bytes or f.place = 1 and p_bytes > 0)
    )
    select (select count(*) from seen), (select max(s.seq) from seen s),
        (select coalesce(array_agg(c.seq order by c.seq), '{}') from chosen c),
        (select coalesce(array_agg(c.partition_number), '{}') from chosen c),
        (select coalesce(sum(c.size), 0) from chosen c),
        (select count(*) from free f where not f.blocked),
        (select coalesce(array_agg(f.seq order by f.seq), '{}') from free f where f.blocked),
        (select min(m.seq) from mine m where m.busy),
        (select coalesce(array_agg(distinct m.partition_number), '{}') from mine m where m.busy)
    into visited, last_seq, taken, partitions, bytes, v_free, blocked, first_hole, holes;
    is_full := v_free > cardinality(taken) or cardinality(taken) >= p_limit;
    if is_full then
        last_seq := coalesce(taken[cardinality(taken)], p_ahead);
    end if;
    last_seq := coalesce(last_seq, p_ahead);
end
$$;
