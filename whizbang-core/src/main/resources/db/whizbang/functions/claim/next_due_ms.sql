--liquibase formatted sql
--changeset whizbang:next_due_ms runOnChange:true splitStatements:false stripComments:false
-- How long until a waiting message is due, whoever's it is: to a tenth of a millisecond, because whoever waits is late by what is rounded up.
drop function if exists ${schema}.next_due_ms(smallint, timestamptz);
create or replace function ${schema}.next_due_ms(p_queue smallint, p_now timestamptz)
returns numeric
language plpgsql
as $$
begin
    return ceil(extract(epoch from least(
        (select m.scheduled_for from ${schema}.wh_messages m
         where m.queue = p_queue and m.status = 1 and m.scheduled_for > p_now
         order by m.scheduled_for limit 1),
        (select s.due_at from ${schema}.wh_scheduled s
         where s.queue = p_queue and s.due_at > p_now
         order by s.due_at limit 1)) - p_now) * 10000) / 10;
end
$$;
