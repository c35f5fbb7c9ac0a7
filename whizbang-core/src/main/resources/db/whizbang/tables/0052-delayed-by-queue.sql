--liquibase formatted sql
--changeset whizbang:0052-delayed-by-queue splitStatements:false stripComments:false
-- To count the delayed messages of one work queue without reading those of the others. The cast keeps it away from queries that look for what
-- is due: a plan that was made while the table was empty would take the smaller index, and read what is dead.
create index wh_scheduled_of_queue on ${schema}.wh_scheduled (topic) where queue::int = 5;
