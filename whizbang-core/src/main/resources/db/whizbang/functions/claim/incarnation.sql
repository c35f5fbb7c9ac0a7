--liquibase formatted sql
--changeset whizbang:incarnation runOnChange:true splitStatements:false stripComments:false
-- Which life of the database this is; what callers remember of an earlier one is void.
create or replace function ${schema}.incarnation()
returns uuid
language plpgsql
as $$
declare
    v_id uuid;
begin
    select i.id into v_id from ${schema}.wh_incarnation i where i.is_only;
    if v_id is null then
        insert into ${schema}.wh_incarnation default values on conflict do nothing;
        select i.id into strict v_id from ${schema}.wh_incarnation i where i.is_only;
    end if;
    return v_id;
end
$$;
