--liquibase formatted sql
--changeset whizbang:take_letters runOnChange:true splitStatements:false stripComments:false
-- Removes letters and enters who did it, and what they were, in the audit. Locks in order, so that two operators cannot wait for
-- each other; the second one finds nothing.
create or replace function ${schema}.take_letters(
    p_ids    bigint[],
    p_action text,
    p_by     text,
    p_note   text,
    p_now    timestamptz
)
returns setof ${schema}.wh_dead_letters
language sql
as $$
    with locked as materialized (
        select d.dead_letter_id
        from ${schema}.wh_dead_letters d
        where d.dead_letter_id = any (p_ids)
        order by d.dead_letter_id
        for update
    ), gone as (
        delete from ${schema}.wh_dead_letters d
        where d.dead_letter_id = any (array(select l.dead_letter_id from locked l))
        returning d.*
    ), audited as (
        -- The whole error is the history of a message that may die again; of what is gone for good, the first line will do.
        insert into ${schema}.wh_dead_letter_audit
            (action, decided_at, decided_by, note, dead_letter_id, queue, source, message_id, topic, reason, attempts, error,
             created_at, died_at)
        select p_action, p_now, p_by, p_note, g.dead_letter_id, g.queue, g.source, g.message_id, g.topic, g.reason, g.attempts,
            case when p_action = 'replayed' then g.error else left(split_part(g.error, E'\n', 1), 1000) end,
            g.created_at, g.died_at
        from gone g
        order by g.dead_letter_id
    )
    select g.* from gone g order by g.dead_letter_id
$$;
