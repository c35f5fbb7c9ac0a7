--liquibase formatted sql
--changeset whizbang:0010-inbox splitStatements:false stripComments:false
-- The same as wh_outbox, for the other direction.
create table ${schema}.wh_inbox partition of ${schema}.wh_messages for values in (2)
    with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
          autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 1000000,
          autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);
alter table ${schema}.wh_inbox add constraint wh_inbox_pkey primary key (seq);
create index wh_inbox_head on ${schema}.wh_inbox (stream_id) where status = 1;
create index wh_inbox_due on ${schema}.wh_inbox (scheduled_for, seq) where status = 1 and scheduled_for is not null;
create index wh_inbox_parked on ${schema}.wh_inbox (stream_id, seq) where status = 2;

insert into ${schema}.wh_epoch (queue) values (2);
