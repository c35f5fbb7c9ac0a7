--liquibase formatted sql
--changeset whizbang:0013-dead-letters splitStatements:false stripComments:false
alter table ${schema}.wh_dead_letters
    add column source text,
    add column raw bytea,
    alter column seq drop not null,
    alter column message_id drop not null,
    alter column topic drop not null,
    alter column message_type drop not null,
    alter column payload drop not null,
    add constraint wh_dead_letters_is_message_or_raw check (
        num_nonnulls(seq, message_id, topic, message_type, payload) = case when raw is null then 5 else 0 end);

comment on table ${schema}.wh_dead_letters is
    'What will not be tried again, with the reason: messages, and what could not even become one. They block nothing.';
comment on column ${schema}.wh_dead_letters.source is 'Where it came from; null for a message of this application.';
comment on column ${schema}.wh_dead_letters.raw is 'What came, byte for byte, when it could not become a message.';

-- What people filter by. Messages die rarely, so these cost little.
create index wh_dead_letters_by_reason on ${schema}.wh_dead_letters (reason, dead_letter_id);
create index wh_dead_letters_by_topic on ${schema}.wh_dead_letters (topic, dead_letter_id);
create index wh_dead_letters_by_stream on ${schema}.wh_dead_letters (stream_id, dead_letter_id);
create index wh_dead_letters_by_message on ${schema}.wh_dead_letters (message_id);
create index wh_dead_letters_by_time on ${schema}.wh_dead_letters (died_at);

create table ${schema}.wh_dead_letter_audit (
    audit_id       bigint generated always as identity primary key,
    action         text not null,
    decided_at     timestamptz not null,
    decided_by     text not null,
    note           text,
    dead_letter_id bigint not null,
    queue          smallint not null,
    source         text,
    message_id     uuid,
    topic          text,
    reason         text not null,
    attempts       int not null,
    error          text,
    created_at     timestamptz not null,
    died_at        timestamptz not null,
    constraint wh_dead_letter_audit_action_is_known check (action in ('replayed', 'discarded'))
);

comment on table ${schema}.wh_dead_letter_audit is
    'Who replayed or discarded which dead letter, and what it was: so the history of a message that dies again is here.';

create index wh_dead_letter_audit_by_message on ${schema}.wh_dead_letter_audit (message_id, audit_id);
create index wh_dead_letter_audit_by_time on ${schema}.wh_dead_letter_audit (decided_at);
