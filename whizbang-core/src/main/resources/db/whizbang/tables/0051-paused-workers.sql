--liquibase formatted sql
--changeset whizbang:0051-paused-workers splitStatements:false stripComments:false
create table ${schema}.wh_paused_workers (
    worker    text primary key,
    paused_at timestamptz not null,
    paused_by text not null,
    note      text
);

comment on table ${schema}.wh_paused_workers is
    'Workers that somebody has paused, on all instances and over their restarts. A row goes when the worker is resumed.';
