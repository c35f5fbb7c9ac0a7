--liquibase formatted sql
--changeset whizbang:0007-incarnation splitStatements:false stripComments:false
-- Unlogged: empty after a crash and on a standby that took over. Just then the database may have forgotten what callers remember:
-- claims, completions, and numbers of sequences, which it gives out a second time.
create unlogged table ${schema}.wh_incarnation (
    is_only boolean primary key default true,
    id      uuid not null default gen_random_uuid(),
    constraint wh_incarnation_is_only check (is_only)
);

comment on table ${schema}.wh_incarnation is 'One row that a crash of the database takes away: a new one makes every memory void.';
