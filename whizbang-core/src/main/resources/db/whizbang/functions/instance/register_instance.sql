--liquibase formatted sql
--changeset whizbang:register_instance runOnChange:true splitStatements:false stripComments:false
create or replace function ${schema}.register_instance(
    p_instance   uuid,
    p_service    text,
    p_host       text,
    p_process    bigint,
    p_metadata   jsonb,
    p_queues     smallint[],
    p_partitions int,
    p_now        timestamptz default null
)
returns void
language plpgsql
as $$
declare
    v_now   timestamptz := coalesce(p_now, clock_timestamp());
    v_queue smallint;
begin
    perform ${schema}.require_read_committed();
    insert into ${schema}.wh_service_instances
        (instance_id, service_name, host_name, process_id, metadata, queues, started_at, last_heartbeat_at)
    values (p_instance, p_service, p_host, p_process, p_metadata, p_queues, v_now, v_now);
    foreach v_queue in array array(select q from unnest(p_queues) q order by q) loop
        perform ${schema}.set_partitions(v_queue, p_partitions);
        perform ${schema}.refresh_members(v_queue);
    end loop;
end
$$;
