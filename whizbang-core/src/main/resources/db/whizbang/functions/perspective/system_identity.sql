--liquibase formatted sql
--changeset whizbang:system_identity runOnChange:true splitStatements:false stripComments:false
-- Tells servers apart, and is the same on a standby that took over. Nothing where the caller may not know.
create or replace function ${schema}.system_identity()
returns bigint
language plpgsql
as $$
begin
    return (select c.system_identifier from pg_control_system() c);
exception
    when insufficient_privilege or undefined_function then
        return null;
end
$$;
