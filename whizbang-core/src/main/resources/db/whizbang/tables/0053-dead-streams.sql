--liquibase formatted sql
--changeset whizbang:0053-dead-streams splitStatements:false stripComments:false
-- To count streams that are dead without reading those that only wait for their next try. The cast keeps other queries away from it.
create index wh_perspective_checkpoints_dead on ${schema}.wh_perspective_checkpoints (run_id) where status::int = 2;
