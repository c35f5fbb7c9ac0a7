--liquibase formatted sql
--changeset whizbang:share_model runOnChange:true splitStatements:false stripComments:false
-- Comes first in every transaction that changes a model: many may at once, but nobody can empty it before they end. False when the run has
-- ended, maybe while this one waited.
create or replace function ${schema}.share_model(p_run bigint)
returns boolean
language plpgsql
as $$
begin
    perform pg_advisory_xact_lock_shared(${schema}.model_class(), (p_run & 2147483647)::int);
    return exists (select from ${schema}.wh_perspectives p where p.run_id = p_run and p.status < 2);
end
$$;
