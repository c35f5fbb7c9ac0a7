--liquibase formatted sql
--changeset whizbang:share_streams runOnChange:true splitStatements:false stripComments:false
-- Keeps away, until the transaction ends, an enqueue that is so large that it takes all streams for itself.
create or replace function ${schema}.share_streams(p_queue smallint)
returns void
language sql
as $$
    select pg_advisory_xact_lock_shared(${schema}.advisory_class(), ${schema}.advisory_key(p_queue, 'all streams'))
$$;
