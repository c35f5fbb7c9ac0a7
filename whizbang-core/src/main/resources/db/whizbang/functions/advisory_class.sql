--liquibase formatted sql
--changeset whizbang:advisory_class runOnChange:true splitStatements:false stripComments:false
-- Class of all advisory locks but the enqueue markers. Derived from the table, so that two schemas never meet.
create or replace function ${schema}.advisory_class()
returns int
language sql
immutable
as $$
    select ('${schema}.wh_messages'::regclass::oid::bigint & 2147483647)::int
$$;
