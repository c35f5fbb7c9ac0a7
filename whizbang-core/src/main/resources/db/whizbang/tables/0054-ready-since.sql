--liquibase formatted sql
--changeset whizbang:0054-ready-since splitStatements:false stripComments:false
-- The delay that a sender wanted is no age: it would make health report a queue that does what it should.
alter table ${schema}.wh_messages add column ready_since timestamptz;

comment on column ${schema}.wh_messages.ready_since is
    'When a delayed message or a timer was due; null for one that could be delivered from its creation on.';
