--liquibase formatted sql
--changeset whizbang:0002-messages splitStatements:false stripComments:false
-- Cache 1: the order of numbers is the order of delivery, so no session may hold some back.
create sequence ${schema}.wh_message_seq as bigint cache 1;
-- A sequence that was never called shows its first number as its last one: call it, so that the last one is always past.
select nextval('${schema}.wh_message_seq');

-- No check constraints: every insert would parse them anew, which costs a tenth of it.
-- One parent, so that every function is written once; one table per queue, so that queues do not disturb each other.
create table ${schema}.wh_messages (
    queue            smallint not null,
    status           smallint not null default 0,
    attempts         smallint not null default 0,
    partition_number int not null,
    seq              bigint not null default nextval('${schema}.wh_message_seq'),
    created_at       timestamptz not null default clock_timestamp(),
    scheduled_for    timestamptz,
    size             int not null,
    message_id       uuid not null,
    stream_id        uuid,
    stream_key       text,
    topic            text not null,
    message_type     text not null,
    headers          jsonb not null,
    payload          text not null,
    error            text
) partition by list (queue);

comment on table ${schema}.wh_messages is
    'Messages that wait. Inserted once, deleted once; who holds one stands in wh_claims, never here.';
comment on column ${schema}.wh_messages.seq is 'Place in the queue; within a stream the order of commits.';
comment on column ${schema}.wh_messages.status is
    '0 ready; 1 head of a stream that waits (or a single message that waits); 2 parked behind such a head. Never back to 0.';
comment on column ${schema}.wh_messages.scheduled_for is 'When a head may be tried again.';

create table ${schema}.wh_outbox partition of ${schema}.wh_messages for values in (1)
    with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
          autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 1000000,
          autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);
alter table ${schema}.wh_outbox add constraint wh_outbox_pkey primary key (seq);
create index wh_outbox_head on ${schema}.wh_outbox (stream_id) where status = 1;
-- Its condition says more than that of wh_outbox_head, so that a look for the head of a stream can never choose it.
create index wh_outbox_due on ${schema}.wh_outbox (scheduled_for, seq) where status = 1 and scheduled_for is not null;
create index wh_outbox_parked on ${schema}.wh_outbox (stream_id, seq) where status = 2;

create table ${schema}.wh_scheduled (
    queue            smallint not null,
    due_at           timestamptz not null,
    id               bigint generated always as identity,
    partition_hash   int not null,
    size             int not null,
    created_at       timestamptz not null default clock_timestamp(),
    message_id       uuid not null,
    stream_id        uuid,
    stream_key       text,
    topic            text not null,
    message_type     text not null,
    headers          jsonb not null,
    payload          text not null,
    constraint wh_scheduled_pkey primary key (queue, due_at, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

comment on table ${schema}.wh_scheduled is
    'Messages with a delay. They join their stream, at its end, when they are due, so that they hold up nobody.';
