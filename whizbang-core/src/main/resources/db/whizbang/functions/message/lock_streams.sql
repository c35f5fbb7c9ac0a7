--liquibase formatted sql
--changeset whizbang:lock_streams runOnChange:true splitStatements:false stripComments:false
-- Lets one transaction at a time enqueue to a stream, until it commits: so the order of numbers is the order of commits.
-- Sorted, so that two transactions cannot wait for each other.
create or replace function ${schema}.lock_streams(p_queue smallint, p_stream_ids uuid[], p_partition_hashes int[])
returns void
language plpgsql
as $$
declare
    c_class constant int := ${schema}.advisory_class();
    v_buckets int[];
    v_bucket  int;
begin
    -- Most transactions enqueue one message.
    if cardinality(p_stream_ids) = 1 then
        v_buckets := case when p_stream_ids[1] is null then '{}' else array[p_partition_hashes[1] % 1024] end;
    else
        v_buckets := array(
            select distinct h % 1024 from unnest(p_stream_ids, p_partition_hashes) s(id, h) where s.id is not null order by 1);
    end if;
    -- The lock table is finite and shared by all: one lock for everything replaces very many.
    if cardinality(v_buckets) > 64 then
        perform pg_advisory_xact_lock(c_class, ${schema}.advisory_key(p_queue, 'all streams'));
        return;
    end if;
    perform pg_advisory_xact_lock_shared(c_class, ${schema}.advisory_key(p_queue, 'all streams'));
    foreach v_bucket in array v_buckets loop
        perform pg_advisory_xact_lock(c_class, p_queue * 10000 + v_bucket);
    end loop;
end
$$;
