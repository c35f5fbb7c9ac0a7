--liquibase formatted sql
--changeset whizbang:begin_lease_tokens runOnChange:true splitStatements:false stripComments:false
-- Begins to give out tokens in this life of the database, above all that may have been given out and forgotten in the one before.
create or replace function ${schema}.begin_lease_tokens()
returns bigint
language plpgsql
set lock_timeout = 0
as $$
#variable_conflict use_column
declare
    v_life   uuid := ${schema}.begin_incarnation();
    v_tokens record;
begin
    select t.incarnation, t.base into v_tokens from ${schema}.wh_lease_tokens t where t.is_only for update;
    if v_tokens.incarnation is distinct from v_life then
        update ${schema}.wh_lease_tokens t
        set incarnation = v_life, base = t.base + case when t.incarnation is null then 0 else 1000000 end
        where t.is_only
        returning t.base into v_tokens.base;
    end if;
    return v_tokens.base;
end
$$;
