--liquibase formatted sql
--changeset whizbang:check_world runOnChange:true splitStatements:false stripComments:false
-- Whether snapshots of this server can be compared with those that are stored, and up to where events came from another server.
create or replace function ${schema}.check_world(p_base pg_snapshot, p_restored bigint, out restored bigint, out ready boolean)
language plpgsql
as $$
declare
    v_world  ${schema}.wh_perspective_world;
    v_system bigint := ${schema}.system_identity();
begin
    select * into strict v_world from ${schema}.wh_perspective_world w;
    if v_world.system_id is null and v_system is not null then
        update ${schema}.wh_perspective_world w set system_id = v_system where w.system_id is null;
        v_world.system_id := v_system;
    end if;
    restored := v_world.restored;
    ready := v_world.system_id is not distinct from coalesce(v_system, v_world.system_id)
        -- Ids of the future come from elsewhere, too. A shard that has not crossed the line yet may have them.
        and (p_restored < v_world.restored or pg_snapshot_xmax(p_base) <= pg_snapshot_xmax(pg_current_snapshot()));
    if not ready then
        perform ${schema}.mark_restored(v_system);
    end if;
end
$$;
