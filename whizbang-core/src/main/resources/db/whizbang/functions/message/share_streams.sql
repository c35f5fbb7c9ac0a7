--liquibase formatted sql
--changeset whizbang:share_streams runOnChange:true splitStatements:false stripComments:false
-- Keeps away, until the transaction ends, whoever wants all streams for itself: a very large enqueue, a change of the partitions.
create or replace function ${schema}.share_streams(p_queue smallint)
returns void
language sql
as $$
    select pg_advisory_xact_lock_shared(${schema}.advisory_class(), ${schema}.advisory_key(p_queue, 'all streams'))
$$;
