--liquibase formatted sql
--changeset whizbang:0041-fanout splitStatements:false stripComments:false
create table ${schema}.wh_fanout_topics (
    topic       text primary key,
    cron        text,
    every_ms    bigint,
    zone        text not null,
    next_run_at timestamptz not null,
    retry_at    timestamptz,
    token       bigint not null default 0,
    started_at  timestamptz,
    ended_at    timestamptz,
    last_until  timestamptz,
    candidates  bigint,
    planned     bigint,
    failures    int not null default 0,
    problem     text,
    seen_at     timestamptz,
    defined_by  text not null,
    created_at  timestamptz not null,
    updated_at  timestamptz not null,
    constraint wh_fanout_topics_has_one_cadence check (num_nonnulls(cron, every_ms) = 1)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

comment on table ${schema}.wh_fanout_topics is
    'Topics of fan-outs: when their planner is asked for candidates, and how the last run of that went.';
comment on column ${schema}.wh_fanout_topics.next_run_at is 'Next run, by the database''s clock. Moved on when a run has ended, so that one that was cut off is taken up.';
comment on column ${schema}.wh_fanout_topics.retry_at is 'When a run that failed is tried again.';
comment on column ${schema}.wh_fanout_topics.token is 'Fencing token of the lease of the last run''s coordinator; one with a lower token can plan nothing.';
comment on column ${schema}.wh_fanout_topics.last_until is 'Until when the windows of the last run go.';
comment on column ${schema}.wh_fanout_topics.planned is 'How many slices the last run has planned, of how many candidates.';
comment on column ${schema}.wh_fanout_topics.seen_at is 'When an instance that has the planner last said so.';

create table ${schema}.wh_fanout_policies (
    topic      text not null references ${schema}.wh_fanout_topics (topic) on delete cascade,
    work_key   text not null,
    every_ms   bigint not null,
    jitter_ms  bigint not null,
    edited     boolean not null,
    updated_at timestamptz not null,
    constraint wh_fanout_policies_pkey primary key (topic, work_key),
    constraint wh_fanout_policies_go_forward check (every_ms >= 0 and jitter_ms >= 0)
);

comment on table ${schema}.wh_fanout_policies is 'How often the slices of a topic are due, by work key; * for all that have no line of their own.';
comment on column ${schema}.wh_fanout_policies.jitter_ms is 'Slices are delayed by a part of this that depends on their keys, so that they do not all come at once.';
comment on column ${schema}.wh_fanout_policies.edited is 'Set at run time; what the code says is left aside.';

create table ${schema}.wh_fanout_cursors (
    topic           text not null,
    work_key        text not null,
    shard_key       text not null,
    completed_until timestamptz,
    completed_at    timestamptz,
    planned_until   timestamptz,
    planned_at      timestamptz not null,
    plans           int not null default 1,
    constraint wh_fanout_cursors_pkey primary key (topic, work_key, shard_key)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
-- For the purge of shards that are gone. A completion does not touch it.
create index wh_fanout_cursors_planned on ${schema}.wh_fanout_cursors (planned_at);

comment on table ${schema}.wh_fanout_cursors is 'How far each shard''s work has come.';
comment on column ${schema}.wh_fanout_cursors.completed_until is 'End of the last window that was completed, and start of the next one; empty when there was none.';
comment on column ${schema}.wh_fanout_cursors.planned_until is 'End of the window of the slice that is under way; empty when there is none.';
comment on column ${schema}.wh_fanout_cursors.planned_at is 'When the last slice was planned.';
comment on column ${schema}.wh_fanout_cursors.plans is 'How often the window under way, or else the last one, was planned: more than once when a slice has died.';
