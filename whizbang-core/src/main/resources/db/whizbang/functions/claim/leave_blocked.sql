--liquibase formatted sql
--changeset whizbang:leave_blocked runOnChange:true splitStatements:false stripComments:false
-- Takes those messages out whose streams have a head that waits.
create or replace function ${schema}.leave_blocked(
    p_queue      smallint,
    p_seqs       bigint[],
    p_partitions int[],
    p_streams    uuid[],
    out seqs       bigint[],
    out partitions int[],
    out bytes      bigint,
    out blocked    bigint[]
)
language plpgsql
as $$
declare
    v_heads uuid[] := array(
        select h.stream_id
        from ${schema}.wh_messages h
        where h.queue = p_queue and h.status = 1 and h.stream_id = any (array(select distinct s from unnest(p_streams) s)));
begin
    select coalesce(array_agg(j.seq) filter (where not j.is_blocked), '{}'),
        coalesce(array_agg(j.partition_number) filter (where not j.is_blocked), '{}'),
        coalesce(array_agg(j.seq) filter (where j.is_blocked), '{}')
    into seqs, partitions, blocked
    from (select s.seq, s.partition_number, h.stream_id is not null as is_blocked
          from unnest(p_seqs, p_partitions, p_streams) with ordinality s(seq, partition_number, stream_id, place)
               left join (select unnest(v_heads)) h(stream_id) on h.stream_id = s.stream_id
          order by s.place) j;
    bytes := (select coalesce(sum(m.size), 0) from ${schema}.wh_messages m where m.queue = p_queue and m.seq = any (seqs));
end
$$;
