--liquibase formatted sql
--changeset whizbang:outwait_locks runOnChange:true splitStatements:false stripComments:false
-- The application's lock timeout is for its own locks: waiting to enqueue is short, and giving up would cost its transaction, which
-- has nothing left to do but commit.
create or replace function ${schema}.outwait_locks()
returns text
language sql
as $$
    select case when current_setting('lock_timeout') <> '0' then set_config('lock_timeout', '0', true) end
$$;
