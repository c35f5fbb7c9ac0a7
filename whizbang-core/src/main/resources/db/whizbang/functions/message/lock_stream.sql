--liquibase formatted sql
--changeset whizbang:lock_stream runOnChange:true splitStatements:false stripComments:false
-- What lock_streams does, for one stream.
create or replace function ${schema}.lock_stream(p_queue smallint, p_partition_hash int)
returns void
language sql
as $$
    select pg_advisory_xact_lock(${schema}.advisory_class(), p_queue * 10000 + p_partition_hash % 1024)
$$;
