--liquibase formatted sql
--changeset whizbang:0031-timers splitStatements:false stripComments:false
-- A timer is a delayed message that can be found, cancelled and moved until it fires. The indexes leave out all other delayed messages.
alter table ${schema}.wh_scheduled
    add column timer_due timestamptz,
    add column timer_key text;

create unique index wh_scheduled_timer on ${schema}.wh_scheduled (message_id) where timer_due is not null;
create unique index wh_scheduled_timer_key on ${schema}.wh_scheduled (timer_key) where timer_key is not null;

comment on column ${schema}.wh_scheduled.timer_due is
    'Makes the row a timer: when the application wants it to fire. Never after due_at, which is no earlier than the row itself.';
comment on column ${schema}.wh_scheduled.timer_key is 'The name under which the application knows the timer; one pending timer has it at most.';
