--liquibase formatted sql
--changeset whizbang:stream_shard runOnChange:true splitStatements:false stripComments:false
-- Which part of a run a stream belongs to. It must never change; PostgreSQL keeps this hash for the sake of hash partitions.
create or replace function ${schema}.stream_shard(p_stream_id uuid, p_shards int)
returns int
language sql
immutable
parallel safe
as $$
    select ((uuid_hash_extended(p_stream_id, 0) & 9223372036854775807) % p_shards)::int
$$;
