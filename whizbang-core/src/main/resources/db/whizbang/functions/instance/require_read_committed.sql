--liquibase formatted sql
--changeset whizbang:require_read_committed runOnChange:true splitStatements:false stripComments:false
-- Under a snapshot that is older than the locks, claims of others would be invisible.
drop function if exists ${schema}.require_read_committed();
create or replace function ${schema}.require_read_committed()
returns text
language plpgsql
as $$
begin
    if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
        raise exception 'Whizbang''s coordinator must run at READ COMMITTED but runs at %', current_setting('transaction_isolation')
            using errcode = 'WB001';
    end if;
    return current_setting('transaction_isolation');
end
$$;
