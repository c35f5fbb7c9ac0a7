--liquibase formatted sql
--changeset whizbang:feed_visible runOnChange:true splitStatements:false stripComments:false
-- Whether an event was visible at a tick. High and restored matter only after a dump was restored elsewhere: an event that was written
-- since has a higher position than any tick of the old server, whose transaction ids mean nothing to it.
create or replace function ${schema}.feed_visible(
    p_tx       xid8,
    p_position bigint,
    p_snapshot pg_snapshot,
    p_high     bigint,
    p_restored bigint
)
returns boolean
language sql
immutable
parallel safe
as $$
    select p_position <= p_restored or p_position <= p_high and pg_visible_in_snapshot(p_tx, p_snapshot)
$$;
