--liquibase formatted sql
--changeset whizbang:live_members runOnChange:true splitStatements:false stripComments:false
create or replace function ${schema}.live_members(p_queue smallint)
returns uuid[]
language sql
stable
as $$
    select array(
        select i.instance_id from ${schema}.wh_service_instances i where p_queue = any (i.queues) order by i.instance_id)
$$;
