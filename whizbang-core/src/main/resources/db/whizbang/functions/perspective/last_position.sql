--liquibase formatted sql
--changeset whizbang:last_position runOnChange:true splitStatements:false stripComments:false
-- The last position that was drawn, whether its event is committed or not.
create or replace function ${schema}.last_position()
returns bigint
language sql
volatile
as $$
    select q.last_value - case when q.is_called then 0 else 1 end from ${schema}.wh_events_position_seq q
$$;
