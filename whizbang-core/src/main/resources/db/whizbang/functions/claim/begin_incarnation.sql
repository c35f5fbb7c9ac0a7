--liquibase formatted sql
--changeset whizbang:begin_incarnation runOnChange:true splitStatements:false stripComments:false
-- Begins a life of the database; what callers remember of an earlier one is void.
drop function if exists ${schema}.incarnation();
create or replace function ${schema}.begin_incarnation()
returns uuid
language plpgsql
as $$
begin
    insert into ${schema}.wh_incarnation default values on conflict do nothing;
    return (select i.id from ${schema}.wh_incarnation i where i.is_only);
end
$$;
