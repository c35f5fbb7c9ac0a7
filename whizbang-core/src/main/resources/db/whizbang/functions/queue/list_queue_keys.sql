--liquibase formatted sql
--changeset whizbang:list_queue_keys runOnChange:true splitStatements:false stripComments:false
-- Keys of a queue that are locked or wait, those whose time is over first.
create or replace function ${schema}.list_queue_keys(p_queue text, p_limit int)
returns table (key_id uuid, routing_key text, state smallint, failures smallint, due_at timestamptz, locked_at timestamptz, holder text)
language sql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
    select k.key_id, k.routing_key, k.state, k.failures, k.due_at, k.locked_at, k.holder
    from ${schema}.wh_queue_keys k
    where k.queue = p_queue and k.state <> 0
    order by k.due_at
    limit p_limit
$$;
