--liquibase formatted sql
--changeset whizbang:watch_session runOnChange:true splitStatements:false stripComments:false
create or replace function ${schema}.watch_session(p_instance uuid, p_backend_pid int)
returns void
language sql
as $$
    update ${schema}.wh_service_instances i set backend_pid = p_backend_pid where i.instance_id = p_instance
$$;
