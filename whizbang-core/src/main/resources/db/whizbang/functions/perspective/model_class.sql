--liquibase formatted sql
--changeset whizbang:model_class runOnChange:true splitStatements:false stripComments:false
-- Class of the advisory locks on models; their keys are runs. Derived from the table, so that two schemas never meet.
create or replace function ${schema}.model_class()
returns int
language sql
immutable
as $$
    select ('${schema}.wh_perspectives'::regclass::oid::bigint & 2147483647)::int
$$;
