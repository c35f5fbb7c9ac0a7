--liquibase formatted sql
--changeset whizbang:is_registered runOnChange:true splitStatements:false stripComments:false
create or replace function ${schema}.is_registered(p_queue smallint, p_instance uuid)
returns boolean
language plpgsql
stable
as $$
begin
    return exists (
        select from ${schema}.wh_service_instances i where i.instance_id = p_instance and p_queue = any (i.queues));
end
$$;
