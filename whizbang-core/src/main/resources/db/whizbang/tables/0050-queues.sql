--liquibase formatted sql
--changeset whizbang:0050-queues splitStatements:false stripComments:false
-- A key's number is one over all queues. Were the queue part of the primary key, a plan that was made while the table was empty would look for all
-- keys of the queue, and then for the one.
create table ${schema}.wh_queue_messages (
    queue        text collate "C" not null,
    key_id       uuid not null,
    seq          bigint not null,
    attempts     smallint not null default 0,
    size         int not null,
    created_at   timestamptz not null,
    message_id   uuid not null,
    message_type text not null,
    headers      jsonb not null,
    payload      text not null,
    error        text,
    constraint wh_queue_messages_pkey primary key (key_id, seq)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
        autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 1000000,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);

comment on table ${schema}.wh_queue_messages is
    'Messages of work queues. Inserted once, deleted once, changed only when they fail; who has one stands in wh_queue_keys.';
comment on column ${schema}.wh_queue_messages.key_id is 'What it is locked and ordered by: a hash of its queue and routing key, or a number of its own when it has none.';
comment on column ${schema}.wh_queue_messages.seq is 'Place; within a key the order of commits.';
comment on column ${schema}.wh_queue_messages.attempts is 'How often it was handed out and not acknowledged; a try that was given back unused is not counted.';

create table ${schema}.wh_queue_keys (
    queue          text collate "C" not null,
    key_id         uuid not null,
    state          smallint not null default 0,
    failures       smallint not null default 0,
    partition_hash int not null,
    place          bigint not null,
    low            bigint not null default 0,
    upto           bigint not null default 0,
    suspect_upto   bigint not null default 0,
    due_at         timestamptz not null,
    locked_at      timestamptz,
    token          uuid,
    stream_id      uuid,
    routing_key    text,
    holder         text,
    constraint wh_queue_keys_pkey primary key (key_id)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);
create index wh_queue_keys_ready on ${schema}.wh_queue_keys (queue, place) where state = 0;
create index wh_queue_keys_token on ${schema}.wh_queue_keys (token) where state = 2;
create index wh_queue_keys_due on ${schema}.wh_queue_keys (queue, due_at) where state <> 0;

comment on table ${schema}.wh_queue_keys is
    'Keys of work queues that have messages: one row each, changed once when a batch is handed out and once when it is over.';
comment on column ${schema}.wh_queue_keys.state is '0 ready; 1 waits for its next try; 2 locked.';
comment on column ${schema}.wh_queue_keys.failures is 'How often in a row its batch failed or was lost.';
comment on column ${schema}.wh_queue_keys.place is 'Place in the line of ready keys. A key that was served goes to its end.';
comment on column ${schema}.wh_queue_keys.low is 'No message has this number or a lower one.';
comment on column ${schema}.wh_queue_keys.upto is 'Last message of the batch that was handed out last.';
comment on column ${schema}.wh_queue_keys.suspect_upto is
    'Last message of a batch that failed or was lost as a whole: until it has ended messages go out one by one, so that the guilty one is found.';
comment on column ${schema}.wh_queue_keys.due_at is 'Ready: since when. Waiting: until when. Locked: until when, unless renewed.';
comment on column ${schema}.wh_queue_keys.token is 'Proves that a batch is the caller''s; a new one for every batch.';
comment on column ${schema}.wh_queue_keys.stream_id is 'The hash of the routing key alone.';
comment on column ${schema}.wh_queue_keys.routing_key is 'The key as the application wrote it; empty for a single message without one.';
comment on column ${schema}.wh_queue_keys.holder is 'Who has the lock, for people.';

create table ${schema}.wh_paused_queues (
    name      text collate "C" primary key,
    paused_at timestamptz not null,
    paused_by text not null
);

comment on table ${schema}.wh_paused_queues is 'Work queues of which nothing is handed out until somebody resumes them.';
