--liquibase formatted sql
--changeset whizbang:end_guarded runOnChange:true splitStatements:false stripComments:false
-- Ends the work on a message, well (0) or not (2 failed, 3 dead). Returns false when the token is not the last one given out.
create or replace function ${schema}.end_guarded(p_source text, p_id uuid, p_token uuid, p_status smallint, p_error text)
returns boolean
language plpgsql
set lock_timeout = 0
as $$
begin
    update ${schema}.wh_message_deduplication d
    set status = p_status, token = null, lease_expiry = null, error = coalesce(p_error, d.error)
    where d.source = p_source and d.message_id = p_id and d.token = p_token;
    return found;
end
$$;
