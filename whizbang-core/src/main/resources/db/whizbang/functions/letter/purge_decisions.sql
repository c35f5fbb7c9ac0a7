--liquibase formatted sql
--changeset whizbang:purge_decisions runOnChange:true splitStatements:false stripComments:false
-- Removes entries of the audit that are older than that, at most p_limit of them; says how many.
create or replace function ${schema}.purge_decisions(p_older_ms bigint, p_limit int)
returns int
language sql
as $$
    with gone as (
        delete from ${schema}.wh_dead_letter_audit a
        where a.audit_id = any (array(
            select o.audit_id
            from ${schema}.wh_dead_letter_audit o
            where o.decided_at < now() - p_older_ms * interval '1 millisecond'
            order by o.decided_at
            limit p_limit
            for update skip locked))
        returning 1
    )
    select count(*)::int from gone
$$;
