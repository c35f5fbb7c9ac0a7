--liquibase formatted sql
--changeset whizbang:cancel_join runOnChange:true splitStatements:false stripComments:false
-- Closes a join; nothing follows. False when it is closed already or there is none.
create or replace function ${schema}.cancel_join(p_join uuid, p_now timestamptz default null)
returns boolean
language plpgsql
as $$
begin
    update ${schema}.wh_joins j set status = 4, closed_at = coalesce(p_now, clock_timestamp())
    where j.join_id = p_join and j.status = 0;
    return found;
end
$$;
