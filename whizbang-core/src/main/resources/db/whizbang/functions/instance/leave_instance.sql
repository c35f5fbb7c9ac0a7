--liquibase formatted sql
--changeset whizbang:leave_instance runOnChange:true splitStatements:false stripComments:false
-- Gives back everything, without counting an attempt, and says goodbye.
create or replace function ${schema}.leave_instance(p_instance uuid, p_now timestamptz default null)
returns void
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_queues smallint[] := array(
        select q from ${schema}.wh_service_instances i, unnest(i.queues) q where i.instance_id = p_instance order by q);
    v_queue  smallint;
begin
    perform ${schema}.require_read_committed();
    foreach v_queue in array v_queues loop
        perform pg_advisory_xact_lock(hashtextextended(p_instance::text, v_queue));
    end loop;
    -- The registration before the membership lock: who just takes this instance for dead locks in the same order.
    delete from ${schema}.wh_service_instances i where i.instance_id = p_instance;
    foreach v_queue in array v_queues loop
        perform pg_advisory_xact_lock(${schema}.advisory_class(), ${schema}.advisory_key(v_queue, 'membership'));
        perform ${schema}.give_back_claims(v_queue, p_instance, 0, '{}', coalesce(p_now, clock_timestamp()));
        perform ${schema}.refresh_members(v_queue);
    end loop;
end
$$;
