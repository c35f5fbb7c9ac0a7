--liquibase formatted sql
--changeset whizbang:0005-completed splitStatements:false stripComments:false
create table ${schema}.wh_completed (
    queue            smallint not null,
    completed_at     timestamptz not null,
    completed_by     uuid not null,
    seq              bigint not null,
    attempts         int not null,
    created_at       timestamptz not null,
    partition_hash   int not null,
    message_id       uuid not null,
    stream_id        uuid,
    stream_key       text,
    topic            text not null,
    message_type     text not null,
    headers          jsonb not null,
    payload          text not null
);

comment on table ${schema}.wh_completed is 'Debug mode only: completed messages with who and when, until purged.';

create index wh_completed_by_time on ${schema}.wh_completed (queue, completed_at);
