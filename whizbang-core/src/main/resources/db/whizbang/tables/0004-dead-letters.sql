--liquibase formatted sql
--changeset whizbang:0004-dead-letters splitStatements:false stripComments:false
create table ${schema}.wh_dead_letters (
    dead_letter_id bigint generated always as identity primary key,
    queue          smallint not null,
    reason         text not null,
    attempts       int not null,
    died_at        timestamptz not null,
    created_at     timestamptz not null,
    seq            bigint not null,
    message_id     uuid not null,
    stream_id      uuid,
    stream_key     text,
    topic          text not null,
    message_type   text not null,
    headers        jsonb not null,
    payload        text not null,
    error          text,
    instance_id    uuid
);

comment on table ${schema}.wh_dead_letters is 'Messages that will not be tried again, with the reason. They block nothing.';

create index wh_dead_letters_by_queue on ${schema}.wh_dead_letters (queue, dead_letter_id);
