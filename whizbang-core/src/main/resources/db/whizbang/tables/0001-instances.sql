--liquibase formatted sql
--changeset whizbang:0001-instances splitStatements:false stripComments:false
create table ${schema}.wh_service_instances (
    instance_id       uuid primary key,
    service_name      text not null,
    host_name         text not null,
    process_id        bigint not null,
    metadata          jsonb not null default '{}',
    queues            smallint[] not null,
    backend_pid       int,
    started_at        timestamptz not null,
    last_heartbeat_at timestamptz not null
) with (fillfactor = 50);

comment on table ${schema}.wh_service_instances is
    'Who is alive. A row goes when its instance leaves or falls silent; an instance without a row is refused.';
comment on column ${schema}.wh_service_instances.queues is
    'Queues whose messages the instance claims; only these count it as a member.';
comment on column ${schema}.wh_service_instances.backend_pid is
    'Database session that lives and dies with the instance; a silent instance without it counts as dead early.';

-- One row per queue: the view that all callers share. Members and epoch change only under the exclusive membership lock.
create table ${schema}.wh_epoch (
    queue      smallint primary key,
    epoch      int not null default 0,
    members    uuid[] not null default '{}',
    partitions int not null default 10000,
    low        bigint not null default 0,
    claim_low  bigint not null default 0,
    constraint wh_epoch_has_partitions check (partitions > 0)
) with (fillfactor = 50);

comment on table ${schema}.wh_epoch is 'Members that share a queue, and the low ends from which its scans may start.';
comment on column ${schema}.wh_epoch.low is 'Nothing ready, and nothing uncommitted, stands at or below this place in the queue.';
comment on column ${schema}.wh_epoch.claim_low is 'No live claim has a lower number.';

insert into ${schema}.wh_epoch (queue) values (1);
