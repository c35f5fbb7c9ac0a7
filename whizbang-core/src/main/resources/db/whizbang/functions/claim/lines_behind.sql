--liquibase formatted sql
--changeset whizbang:lines_behind runOnChange:true splitStatements:false stripComments:false
-- The first parked messages behind heads that were taken, an equal piece of each line.
create or replace function ${schema}.lines_behind(
    p_queue smallint, p_partitions int, p_streams uuid[], p_limit int, p_bytes bigint)
returns table (seq bigint, partition_number int, size int)
language sql
as $$
    select f.seq, f.partition_number, f.size
    from (
        select l.seq, l.partition_number, l.size, sum(l.size) over (order by l.seq) as bytes
        from unnest(p_streams) s(stream_id)
             cross join lateral (
                 select m.seq, m.partition_hash % p_partitions as partition_number, m.size
                 from ${schema}.wh_messages m
                 where m.queue = p_queue and m.status = 2 and m.stream_id = s.stream_id
                 order by m.seq
                 limit p_limit / cardinality(p_streams) + 1) l
        order by l.seq
        limit p_limit) f
    where f.bytes <= p_bytes
    order by f.seq
$$;
