--liquibase formatted sql
--changeset whizbang:due_messages runOnChange:true splitStatements:false stripComments:false
-- Whether delayed messages or heads are due, from where the last look ended. Mostly there are none.
create or replace function ${schema}.due_messages(
    p_queue          smallint,
    p_scheduled_from timestamptz,
    p_heads_from     timestamptz,
    p_now            timestamptz,
    out scheduled boolean,
    out heads     boolean
)
language plpgsql
as $$
begin
    select
        exists (select from ${schema}.wh_scheduled s
                where s.queue = p_queue and s.due_at >= p_scheduled_from and s.due_at <= p_now),
        exists (select from ${schema}.wh_messages m
                where m.queue = p_queue and m.status = 1 and m.scheduled_for >= p_heads_from and m.scheduled_for <= p_now)
    into scheduled, heads;
end
$$;
