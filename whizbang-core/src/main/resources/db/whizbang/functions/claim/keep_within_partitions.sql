--liquibase formatted sql
--changeset whizbang:keep_within_partitions runOnChange:true splitStatements:false stripComments:false
-- Drops what would give the caller more partitions than it may hold. Those it holds already are for free. The next scan starts at the first ready message that was dropped.
create or replace function ${schema}.keep_within_partitions(
    p_queue      smallint,
    p_instance   uuid,
    p_max        int,
    p_seqs       bigint[],
    p_partitions int[],
    p_ready      bigint[],
    p_memory     jsonb,
    out seqs       bigint[],
    out partitions int[],
    out memory     jsonb
)
language plpgsql
as $$
declare
    v_held    int[] := array(
        select distinct p
        from ${schema}.wh_claims c cross join lateral unnest(c.partitions) p
        where c.queue = p_queue and c.instance_id = p_instance);
    v_dropped bigint;
begin
    with wanted as (
        select u.seq, u.partition_number, u.place from unnest(p_seqs, p_partitions) with ordinality u(seq, partition_number, place)
    ), kept as (
        select h.partition_number from unnest(v_held) h(partition_number)
        union all
        (select w.partition_number from wanted w
         where w.partition_number <> all (v_held)
         group by w.partition_number order by min(w.place)
         limit greatest(p_max - cardinality(v_held), 0))
    )
    select array_agg(w.seq order by w.place) filter (where k.partition_number is not null),
        array_agg(w.partition_number order by w.place) filter (where k.partition_number is not null),
        min(w.seq) filter (where k.partition_number is null and w.seq = any (p_ready))
    into seqs, partitions, v_dropped
    from wanted w left join kept k on k.partition_number = w.partition_number;
    seqs := coalesce(seqs, '{}');
    partitions := coalesce(partitions, '{}');
    memory := p_memory;
    if v_dropped is not null then
        memory := ${schema}.return_to_hole(memory || jsonb_build_object(
            'first_hole', least((memory ->> 'first_hole')::bigint, v_dropped)));
    end if;
end
$$;
