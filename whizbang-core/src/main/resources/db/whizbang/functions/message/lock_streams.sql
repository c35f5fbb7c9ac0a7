--liquibase formatted sql
--changeset whizbang:lock_streams runOnChange:true splitStatements:false stripComments:false
-- Lets one transaction at a time enqueue to a stream, until it commits: so the order of numbers is the order of commits.
-- Sorted, so that two transactions cannot wait for each other.
create or replace function ${schema}.lock_streams(p_queue smallint, p_stream_ids uuid[], p_partition_hashes int[])
returns void
language plpgsql
as $$
declare
    v_buckets int[];
    v_bucket  int;
begin
    v_buckets := array(
        select distinct h % 1024 from unnest(p_stream_ids, p_partition_hashes) s(id, h) where s.id is not null order by 1);
    -- The lock table is finite and shared by all: one lock for everything replaces very many.
    if cardinality(v_buckets) > 64 then
        perform pg_advisory_xact_lock(${schema}.advisory_class(), ${schema}.advisory_key(p_queue, 'all streams'));
        return;
    end if;
    perform ${schema}.share_streams(p_queue);
    foreach v_bucket in array v_buckets loop
        perform ${schema}.lock_stream(p_queue, v_bucket);
    end loop;
end
$$;
