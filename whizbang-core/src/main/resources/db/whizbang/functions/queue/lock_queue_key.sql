--liquibase formatted sql
--changeset whizbang:lock_queue_key runOnChange:true splitStatements:false stripComments:false
-- Keeps producers away from a key until the transaction ends, so that it can be removed; false, and without waiting, when one is at it.
create or replace function ${schema}.lock_queue_key(p_partition_hash int)
returns boolean
language sql
as $$
    select pg_try_advisory_xact_lock_shared(${schema}.advisory_class(), ${schema}.advisory_key(5::smallint, 'all streams'))
       and pg_try_advisory_xact_lock(${schema}.advisory_class(), 5 * 10000 + p_partition_hash % 1024)
$$;
