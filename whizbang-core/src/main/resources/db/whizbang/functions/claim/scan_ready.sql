--liquibase formatted sql
--changeset whizbang:scan_ready runOnChange:true splitStatements:false stripComments:false
-- One step of a scan: visits a window of ready messages and says what to do with each.
create or replace function ${schema}.scan_ready(
    p_queue      smallint,
    p_partitions int,
    p_members    int,
    p_rank       int,
    p_busy       int[],      -- each partition once
    p_claimed    bigint[],
    p_limit      int,
    p_ahead      bigint,
    p_window     int,
    out visited    int,
    out free       int,
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
    v_streams uuid[];
begin
    if p_busy = '{}' and p_claimed = '{}' then
        -- The usual case: nothing stands in the way, so there is nothing to join or to sort.
        select count(*), max(s.seq),
            coalesce(array_agg(s.seq) filter (where s.is_free), '{}'),
            coalesce(array_agg(s.partition_number) filter (where s.is_free), '{}'),
            coalesce(sum(s.size) filter (where s.is_free), 0),
            array_agg(s.stream_id) filter (where s.is_free)
        into visited, last_seq, taken, partitions, bytes, v_streams
        from (select m.seq, m.stream_id, m.partition_hash % p_partitions as partition_number, m.size,
                  m.partition_hash % p_partitions % p_members = p_rank as is_free
              from ${schema}.wh_messages m
              where m.queue = p_queue and m.status = 0 and m.seq > p_ahead
              order by m.seq
              limit p_window) s;
        holes := '{}';
    else
        -- Sorted once, below. An aggregate here that sorts or is distinct would put the others out of order.
        select count(*), max(j.seq),
            coalesce(array_agg(j.seq) filter (where j.is_free), '{}'),
            coalesce(array_agg(j.partition_number) filter (where j.is_free), '{}'),
            coalesce(sum(j.size) filter (where j.is_free), 0),
            array_agg(j.stream_id) filter (where j.is_free),
            min(j.seq) filter (where j.is_hole),
            coalesce(array_agg(j.partition_number) filter (where j.is_hole), '{}')
        into visited, last_seq, taken, partitions, bytes, v_streams, first_hole, holes
        from (select s.seq, s.stream_id, s.partition_number, s.size,
                  s.partition_number % p_members = p_rank and c.seq is null and b.partition_number is null as is_free,
                  s.partition_number % p_members = p_rank and c.seq is null and b.partition_number is not null as is_hole
              from (select m.seq, m.stream_id, m.partition_hash % p_partitions as partition_number, m.size
                    from ${schema}.wh_messages m
                    where m.queue = p_queue and m.status = 0 and m.seq > p_ahead
                    order by m.seq
                    limit p_window) s
                   left join (select unnest(p_busy)) b(partition_number) on b.partition_number = s.partition_number
                   left join (select unnest(p_claimed)) c(seq) on c.seq = s.seq
              order by s.seq) j;
    end if;
    blocked := '{}';
    -- By stream: a look whether there are heads at all would lead past all dead ones.
    if exists (select from ${schema}.wh_messages h
               where h.queue = p_queue and h.status = 1 and h.stream_id = any (v_streams)) then
        select * into taken, partitions, bytes, blocked from ${schema}.leave_blocked(p_queue, taken, partitions, v_streams);
    end if;

    free := cardinality(taken);
    is_full := free >= p_limit;
    if is_full then
        taken := taken[:p_limit];
        partitions := partitions[:p_limit];
        last_seq := taken[p_limit];
    end if;
    last_seq := coalesce(last_seq, p_ahead);
end
$$;
