--liquibase formatted sql
--changeset whizbang:0021-perspectives splitStatements:false stripComments:false
-- Late events are read page by page: a transaction that was open when the last snapshot was taken may have written millions.
drop index ${schema}.wh_events_tx;
create index wh_events_tx on ${schema}.wh_events (tx, position);

insert into ${schema}.wh_epoch (queue) values (3);

create table ${schema}.wh_perspective_members (
    instance_id uuid not null references ${schema}.wh_service_instances (instance_id) on delete cascade,
    name        text not null,
    version     int not null,
    constraint wh_perspective_members_pkey primary key (name, version, instance_id)
);
create index wh_perspective_members_by_instance on ${schema}.wh_perspective_members (instance_id);

comment on table ${schema}.wh_perspective_members is
    'Which instances have the code of which perspective; only these share its work, so that old and new releases can run side by side.';

create table ${schema}.wh_perspectives (
    run_id      bigint generated always as identity primary key,
    name        text not null,
    version     int not null,
    run         int not null,
    status      smallint not null,
    shards      int not null,
    paused      boolean not null default false,
    cleaned     boolean not null default false,
    started_at  timestamptz not null,
    switched_at timestamptz,
    retired_at  timestamptz,
    constraint wh_perspectives_status_is_known check (status in (0, 1, 2)),
    constraint wh_perspectives_has_shards check (shards > 0)
);
create unique index wh_perspectives_serving on ${schema}.wh_perspectives (name) where status = 1;
create unique index wh_perspectives_building on ${schema}.wh_perspectives (name) where status = 0;
create index wh_perspectives_uncleaned on ${schema}.wh_perspectives (retired_at) where status = 2 and not cleaned;

comment on table ${schema}.wh_perspectives is 'Runs: lives of read models, over all versions of their code.';
comment on column ${schema}.wh_perspectives.run is
    'Number that the model may be named after. A rebuild in place begins a new row with the number of the old one.';
comment on column ${schema}.wh_perspectives.status is '0 building beside the one that serves, 1 serving, 2 retired.';
comment on column ${schema}.wh_perspectives.cleaned is 'Nothing is left of a retired run but this row.';

-- Changed with every page: no index but its key, and room on the page, so that the change stays there.
create table ${schema}.wh_perspective_shards (
    run_id          bigint not null references ${schema}.wh_perspectives (run_id),
    shard           int not null,
    holder          uuid,
    token           bigint not null default 0,
    moves           bigint not null default 0,
    lease_expiry    timestamptz,
    base_snapshot   pg_snapshot not null default '1:1:',
    base_low        bigint not null default 0,
    base_high       bigint not null default 0,
    base_restored   bigint not null default 0,
    target_snapshot pg_snapshot,
    target_low      bigint,
    target_high     bigint,
    target_restored bigint,
    position        bigint not null default 0,
    moved_at        timestamptz not null,
    constraint wh_perspective_shards_pkey primary key (run_id, shard),
    constraint wh_perspective_shards_target_is_whole check (
        num_nonnulls(target_snapshot, target_low, target_high, target_restored) in (0, 4))
) with (fillfactor = 30, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

comment on table ${schema}.wh_perspective_shards is
    'Parts of a run: who works on each, and how far it has come. Everything visible at base is applied; of what became visible between base and target, everything up to position.';
comment on column ${schema}.wh_perspective_shards.token is 'Counts the holders; whoever was one before can change nothing.';
comment on column ${schema}.wh_perspective_shards.moves is 'Counts the moves, so that nobody moves on from where the shard is not any more.';
comment on column ${schema}.wh_perspective_shards.base_low is
    'Last position drawn before the snapshot was taken: transactions that are neither visible nor listed there have only higher ones.';
comment on column ${schema}.wh_perspective_shards.base_high is 'Last position drawn after the snapshot was taken: nothing visible there has a higher one.';
comment on column ${schema}.wh_perspective_shards.base_restored is
    'Everything up to this position is visible whatever its transaction: it came from another server.';

create table ${schema}.wh_perspective_checkpoints (
    run_id          bigint not null,
    stream_id       uuid not null,
    version         bigint not null,
    position        bigint,
    event_id        uuid,
    status          smallint not null default 0,
    attempts        int not null default 0,
    next_attempt_at timestamptz,
    error           text,
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    failed_at       timestamptz,
    skipped         jsonb,
    constraint wh_perspective_checkpoints_pkey primary key (run_id, stream_id),
    constraint wh_perspective_checkpoints_status_is_known check (status in (0, 1, 2))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index wh_perspective_checkpoints_due on ${schema}.wh_perspective_checkpoints (run_id, next_attempt_at) where status = 1;
create index wh_perspective_checkpoints_failing on ${schema}.wh_perspective_checkpoints (run_id, stream_id) where status <> 0;

comment on table ${schema}.wh_perspective_checkpoints is
    'How far a stream has come in a run. Begins with the first event that the perspective wants; from then on no version may be missing.';
comment on column ${schema}.wh_perspective_checkpoints.version is 'Version of the last event that was applied or passed.';
comment on column ${schema}.wh_perspective_checkpoints.status is
    '0 follows the feed, 1 waits for its next try, 2 dead: tried too often. The feed passes over a stream that does not follow.';
comment on column ${schema}.wh_perspective_checkpoints.skipped is 'Events that somebody decided to leave out: version, who, why, when.';

create table ${schema}.wh_perspective_mappings (
    name        text not null,
    version     int not null,
    event_type  text not null,
    interested  boolean not null,
    since       bigint not null,
    resolved_at timestamptz not null,
    constraint wh_perspective_mappings_pkey primary key (name, version, event_type)
);

comment on table ${schema}.wh_perspective_mappings is 'Which types of events a perspective applies, asked once for each type that occurs.';
comment on column ${schema}.wh_perspective_mappings.since is
    'Position from which on it is so: code that begins to want a type does not get the events that were passed already.';

create table ${schema}.wh_perspective_world (
    is_only          boolean primary key default true,
    system_id        bigint,
    restored         bigint not null default 0,
    pending_system   bigint,
    pending_position bigint,
    pending_xmax     xid8,
    constraint wh_perspective_world_is_only check (is_only)
);
insert into ${schema}.wh_perspective_world default values;

comment on table ${schema}.wh_perspective_world is
    'The server whose transaction ids the snapshots are of. A dump that is restored elsewhere brings events and snapshots, but not the ids.';
comment on column ${schema}.wh_perspective_world.restored is 'Last position that came from another server.';
comment on column ${schema}.wh_perspective_world.pending_xmax is
    'What has drawn a position up to pending_position is below; when all of it has ended, pending_position becomes restored.';
