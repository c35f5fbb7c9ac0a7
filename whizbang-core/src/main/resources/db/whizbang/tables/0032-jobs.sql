--liquibase formatted sql
--changeset whizbang:0032-jobs splitStatements:false stripComments:false
create table ${schema}.wh_jobs (
    name           text primary key,
    handler        text,
    topic          text,
    cron           text,
    every_ms       bigint,
    zone           text not null,
    payload        text,
    payload_type   text,
    enabled        boolean not null,
    paused         boolean not null default false,
    misfire        smallint not null,
    catch_up_max   int not null,
    overlap        boolean not null,
    max_attempts   int not null,
    first_delay_ms bigint not null,
    multiplier     double precision not null,
    max_delay_ms   bigint not null,
    jitter         double precision not null,
    version        bigint not null default 1,
    next_fire_at   timestamptz,
    fired_at       timestamptz,
    seen_at        timestamptz,
    problem        text,
    defined_by     text not null,
    created_at     timestamptz not null,
    updated_at     timestamptz not null,
    constraint wh_jobs_goes_one_way check (num_nonnulls(handler, topic) = 1),
    constraint wh_jobs_has_one_cadence check (num_nonnulls(cron, every_ms) <= 1),
    constraint wh_jobs_misfire_is_known check (misfire in (0, 1, 2))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index wh_jobs_next on ${schema}.wh_jobs (next_fire_at) where next_fire_at is not null;

comment on table ${schema}.wh_jobs is 'Jobs: what runs when. Written by whoever defines a job, moved on by whichever instance fires it.';
comment on column ${schema}.wh_jobs.handler is 'Which code runs; instances that have it claim the runs.';
comment on column ${schema}.wh_jobs.topic is 'Where a message goes instead; a run is over when it is in the outbox.';
comment on column ${schema}.wh_jobs.enabled is 'What the definition says.';
comment on column ${schema}.wh_jobs.paused is 'What somebody said since; a new start of the application leaves it alone.';
comment on column ${schema}.wh_jobs.misfire is 'What becomes of missed times: 0 one run for the latest, 1 none, 2 a run for each of the latest catch_up_max.';
comment on column ${schema}.wh_jobs.next_fire_at is 'Next time, by the database''s clock; empty when there is none: not enabled, paused, only on demand, or with a problem.';
comment on column ${schema}.wh_jobs.fired_at is 'The time, as scheduled, that was fired last.';
comment on column ${schema}.wh_jobs.seen_at is 'When an instance that has the handler last said so.';
comment on column ${schema}.wh_jobs.problem is 'Why the job cannot be fired, until it is defined anew.';

create table ${schema}.wh_job_runs (
    run_id       bigint generated always as identity primary key,
    job_name     text not null references ${schema}.wh_jobs (name) on delete cascade,
    scheduled_at timestamptz not null,
    triggered    boolean not null,
    status       smallint not null,
    attempts     int not null default 0,
    token        bigint not null default 0,
    due_at       timestamptz not null,
    lease_expiry timestamptz,
    holder       uuid,
    instance     text,
    payload      text,
    started_at   timestamptz,
    ended_at     timestamptz,
    error        text,
    constraint wh_job_runs_status_is_known check (status between 0 and 5)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create unique index wh_job_runs_once on ${schema}.wh_job_runs (job_name, scheduled_at) where not triggered;
create index wh_job_runs_open on ${schema}.wh_job_runs (job_name, run_id) where status < 3;
create index wh_job_runs_due on ${schema}.wh_job_runs (due_at) where status in (0, 2);
create index wh_job_runs_leased on ${schema}.wh_job_runs (lease_expiry) where status = 1;
create index wh_job_runs_of_job on ${schema}.wh_job_runs (job_name, run_id desc);
create index wh_job_runs_ended on ${schema}.wh_job_runs (job_name, ended_at) where ended_at is not null;

comment on table ${schema}.wh_job_runs is 'Runs of jobs: one for each time that was fired, and for each time somebody triggered a job.';
comment on column ${schema}.wh_job_runs.scheduled_at is 'The time that the run is for; of a triggered one, when that was.';
comment on column ${schema}.wh_job_runs.status is '0 pending, 1 running, 2 waits for its next try, 3 succeeded, 4 failed for good, 5 skipped.';
comment on column ${schema}.wh_job_runs.attempts is 'How often it was started; a start whose instance gave it back in good order is not counted.';
comment on column ${schema}.wh_job_runs.token is 'Counts the holders; whoever was one before can change nothing.';
comment on column ${schema}.wh_job_runs.payload is 'What this run gets instead of the job''s payload, when somebody said so.';
comment on column ${schema}.wh_job_runs.started_at is 'When the last try began.';
