--liquibase formatted sql
--changeset whizbang:0011-deduplication splitStatements:false stripComments:false
create table ${schema}.wh_message_deduplication (
    message_id   uuid not null,
    received_at  timestamptz not null,
    expires_at   timestamptz,
    lease_expiry timestamptz,
    status       smallint not null default 0,
    attempts     int not null default 0,
    token        uuid,
    source       text not null,
    content_hash bytea not null,
    error        text,
    constraint wh_message_deduplication_pkey primary key (source, message_id),
    constraint wh_message_deduplication_status_is_known check (status in (0, 1, 2, 3)),
    constraint wh_message_deduplication_holder_has_lease
        check ((status = 1) = (token is not null) and (status = 1) = (lease_expiry is not null))
) with (fillfactor = 95, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

-- Only entries that end: those that stay for ever cost nothing here.
create index wh_message_deduplication_expiry on ${schema}.wh_message_deduplication (expires_at) where expires_at is not null;

comment on table ${schema}.wh_message_deduplication is
    'Every message that was received, by source and identity, so that it is received once. Kept for ever unless it expires.';
comment on column ${schema}.wh_message_deduplication.status is
    '0 done: the inbox has it, or a guarded listener has finished it; 1 a guarded listener works on it; 2 that one failed; 3 dead.';
comment on column ${schema}.wh_message_deduplication.content_hash is
    'SHA-256 of topic, type and payload; another one for the same message is a conflict.';
comment on column ${schema}.wh_message_deduplication.token is 'Proves who works on it; only guarded listeners have one.';
