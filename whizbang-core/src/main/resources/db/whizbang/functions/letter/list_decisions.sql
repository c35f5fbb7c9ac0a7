--liquibase formatted sql
--changeset whizbang:list_decisions runOnChange:true splitStatements:false stripComments:false
-- Entries of the audit below a number, newest first.
create or replace function ${schema}.list_decisions(p_queues smallint[], p_message_id uuid, p_before bigint, p_limit int)
returns setof ${schema}.wh_dead_letter_audit
language plpgsql
stable
set plan_cache_mode = force_custom_plan
as $$
begin
    return query
    select a.*
    from ${schema}.wh_dead_letter_audit a
    where a.queue = any (p_queues)
      and (p_message_id is null or a.message_id = p_message_id)
      and (p_before is null or a.audit_id < p_before)
    order by a.audit_id desc
    limit p_limit;
end
$$;
