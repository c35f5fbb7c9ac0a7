--liquibase formatted sql
--changeset whizbang:join_perspectives runOnChange:true splitStatements:false stripComments:false
-- Says which perspectives an instance has the code of.
create or replace function ${schema}.join_perspectives(p_instance uuid, p_names text[], p_versions int[])
returns void
language sql
as $$
    update ${schema}.wh_perspective_world w set system_id = ${schema}.system_identity() where w.system_id is null;
    insert into ${schema}.wh_perspective_members (instance_id, name, version)
    select p_instance, n.name, n.version
    from unnest(p_names, p_versions) n(name, version)
    order by n.name, n.version
    on conflict do nothing
$$;
