--liquibase formatted sql
--changeset whizbang:mark_restored runOnChange:true splitStatements:false stripComments:false
-- Draws the line between events of another server and those of this one. Nothing up to the line may still be uncommitted, so what is
-- under way when it is drawn must have ended before it counts: the first call draws it, a later one finds it good.
create or replace function ${schema}.mark_restored(p_system bigint)
returns void
language plpgsql
as $$
declare
    v_world    ${schema}.wh_perspective_world;
    v_position bigint;
    v_next     xid8;
begin
    if pg_current_xact_id_if_assigned() is not null then
        -- Too old to say who has drawn a position; the next call has a younger id.
        return;
    end if;
    v_position := ${schema}.last_position();
    -- Whoever has drawn a position has a lower id: it wrote to its stream before.
    v_next := pg_current_xact_id();
    select * into strict v_world from ${schema}.wh_perspective_world w for update;
    if v_world.pending_xmax is null or v_world.pending_system is distinct from p_system
       or v_world.pending_xmax > v_next then
        update ${schema}.wh_perspective_world w
        set pending_system = p_system, pending_position = v_position, pending_xmax = v_next;
        return;
    end if;
    if pg_snapshot_xmin(pg_current_snapshot()) >= v_world.pending_xmax then
        update ${schema}.wh_perspective_world w
        set system_id = p_system, restored = v_world.pending_position,
            pending_system = null, pending_position = null, pending_xmax = null;
    end if;
end
$$;
