--liquibase formatted sql
--changeset whizbang:next_perspective_tick runOnChange:true splitStatements:false stripComments:false
-- Chooses up to where a shard reads next; nothing when there is nothing new. The statements must come one after the other: low, then an id of
-- this transaction, then the snapshot, then high. Whoever has drawn a position up to low had an id before, so a lower one than ours.
-- PostgreSQL's own xmax is only behind the last transaction that has ended: ids between it and ours are added to the open ones, which
-- changes nothing in what is visible. So everything visible later that is not here lies behind low, or is of a transaction that is listed.
create or replace function ${schema}.next_perspective_tick(p_base text, p_low bigint, p_restored bigint)
returns table (snapshot text, low bigint, high bigint, restored bigint)
language plpgsql
as $$
#variable_conflict use_column
declare
    v_world    record;
    v_low      bigint;
    v_next     xid8;
    v_snapshot pg_snapshot;
begin
    perform ${schema}.require_read_committed();
    select * into v_world from ${schema}.check_world(p_base::pg_snapshot, p_restored);
    if not v_world.ready or not ${schema}.feed_has_news(p_base::pg_snapshot, p_low, p_restored) then
        return;
    end if;
    if p_restored < v_world.restored then
        -- First everything that came from the other server, compared with the last snapshot of there.
        return query select '1:1:', v_world.restored, v_world.restored, v_world.restored;
        return;
    end if;
    if pg_current_xact_id_if_assigned() is not null then
        -- Too old to say who came before low; the next call has a younger one.
        return;
    end if;
    v_low := ${schema}.last_position();
    v_next := pg_current_xact_id();
    select pg_current_snapshot() into v_snapshot;
    return query select ${schema}.snapshot_before(v_snapshot, v_next)::text, v_low, ${schema}.last_position(), v_world.restored;
end
$$;
