--liquibase formatted sql
--changeset whizbang:0020-events splitStatements:false stripComments:false
-- One row per stream, changed by every append: no index but its key, and room on the page, so that the change stays there.
create table ${schema}.wh_streams (
    stream_id   uuid primary key,
    stream_key  text,
    version     bigint not null,
    created_at  timestamptz not null,
    appended_at timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

comment on table ${schema}.wh_streams is
    'Streams of events. An append locks the row until its transaction ends, so appends to a stream come one after the other.';
comment on column ${schema}.wh_streams.stream_key is 'The key as the application wrote it, where it is not stream_id itself.';
comment on column ${schema}.wh_streams.version is 'Version of the last event, which is also the number of events.';

-- Cache 1: positions follow the order in which events are written, so no session may hold some back.
create table ${schema}.wh_events (
    position     bigint generated always as identity (cache 1) primary key,
    tx           xid8 not null default pg_current_xact_id(),
    version      bigint not null,
    recorded_at  timestamptz not null,
    stream_id    uuid not null,
    event_id     uuid not null,
    type_version int not null,
    event_type   text not null,
    metadata     jsonb not null,
    payload      text not null,
    constraint wh_events_version unique (stream_id, version)
);
-- What became visible between two snapshots is a range of transactions.
create index wh_events_tx on ${schema}.wh_events (tx);

comment on table ${schema}.wh_events is 'Events of all streams. Inserted once; never changed, never deleted by Whizbang.';
comment on column ${schema}.wh_events.position is
    'Place among all events. Transactions that overlap commit in any order, so a lower position may become visible later.';
comment on column ${schema}.wh_events.tx is 'Transaction that wrote the event; with a snapshot it tells whether the event was visible there.';
comment on column ${schema}.wh_events.version is 'Place in its stream: 1, 2, 3 and so on, without gaps.';
comment on column ${schema}.wh_events.event_id is
    'Identity that the event carries when it is published. Not unique here: the expected version is what keeps an append from happening twice.';
