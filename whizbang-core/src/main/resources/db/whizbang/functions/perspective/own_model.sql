--liquibase formatted sql
--changeset whizbang:own_model runOnChange:true splitStatements:false stripComments:false
-- Comes first in every transaction that empties a model, or removes a stream from it: waits until nobody changes it, and lets nobody begin.
create or replace function ${schema}.own_model(p_run bigint)
returns void
language sql
as $$
    select pg_advisory_xact_lock(${schema}.model_class(), (p_run & 2147483647)::int)
$$;
