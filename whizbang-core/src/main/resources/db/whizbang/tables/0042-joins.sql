--liquibase formatted sql
--changeset whizbang:0042-joins splitStatements:false stripComments:false
create table ${schema}.wh_joins (
    join_id        uuid primary key,
    join_key       text,
    status         smallint not null default 0,
    fail_fast      boolean not null,
    expected       int,
    attached       int not null default 0,
    done           int not null default 0,
    failed         int not null default 0,
    late           int not null default 0,
    done_topic     text,
    failed_topic   text,
    deadline_topic text,
    headers        jsonb not null,
    metadata       jsonb not null,
    deadline       timestamptz,
    started_at     timestamptz not null,
    closed_at      timestamptz,
    constraint wh_joins_counts_each_once check (done >= 0 and failed >= 0 and attached >= 0 and done + failed <= attached and attached <= expected),
    constraint wh_joins_status_is_known check (status between 0 and 4),
    constraint wh_joins_is_open_or_closed check ((status = 0) = (closed_at is null))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create unique index wh_joins_key on ${schema}.wh_joins (join_key) where join_key is not null;
create index wh_joins_open on ${schema}.wh_joins (join_id) where status = 0;
create index wh_joins_due on ${schema}.wh_joins (deadline) where status = 0 and deadline is not null;
create index wh_joins_closed on ${schema}.wh_joins (closed_at) where closed_at is not null;

comment on table ${schema}.wh_joins is 'Joins: what waits for many pieces of work, how many of them have ended, and what follows.';
comment on column ${schema}.wh_joins.status is '0 open, 1 done, 2 failed, 3 expired, 4 cancelled.';
comment on column ${schema}.wh_joins.expected is 'How many members there will be; empty while that is not known.';
comment on column ${schema}.wh_joins.late is 'Members that reported only after the join was closed; they are in neither count.';
comment on column ${schema}.wh_joins.headers is 'What follow-up messages carry, beside what they say.';

create table ${schema}.wh_join_members (
    join_id     uuid not null,
    member      text not null,
    outcome     smallint not null default 0,
    late        boolean not null default false,
    attached_at timestamptz not null,
    reported_at timestamptz,
    reason      text,
    constraint wh_join_members_pkey primary key (join_id, member),
    constraint wh_join_members_outcome_is_known check (outcome between 0 and 2)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

comment on table ${schema}.wh_join_members is 'What a join waits for. The first report of a member decides.';
comment on column ${schema}.wh_join_members.outcome is '0 not reported, 1 done, 2 failed.';

create table ${schema}.wh_join_reports (
    report_id   bigint generated always as identity primary key,
    join_id     uuid not null,
    member      text,
    failed      boolean not null,
    reason      text,
    reported_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create index wh_join_reports_join on ${schema}.wh_join_reports (join_id);

comment on table ${schema}.wh_join_reports is
    'Members that have ended and are not counted yet. Only ever added to, so that whoever completes a message waits for nobody; gone when counted.';
comment on column ${schema}.wh_join_reports.member is 'Empty when the join itself is to be looked at.';
