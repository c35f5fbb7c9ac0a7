--liquibase formatted sql
--changeset whizbang:set_partitions runOnChange:true splitStatements:false stripComments:false
-- A stream must keep its partition while messages of it wait or are claimed: two partitions would be two holders.
create or replace function ${schema}.set_partitions(p_queue smallint, p_partitions int)
returns void
language plpgsql
as $$
declare
    v_found int;
begin
    select e.partitions into strict v_found from ${schema}.wh_epoch e where e.queue = p_queue;
    if v_found = p_partitions then
        return;
    end if;
    -- Nobody may enqueue or claim while the number changes.
    perform pg_advisory_xact_lock(${schema}.advisory_class(), ${schema}.advisory_key(p_queue, 'all streams'));
    perform pg_advisory_xact_lock(${schema}.advisory_class(), ${schema}.advisory_key(p_queue, 'membership'));
    if exists (select from ${schema}.wh_messages m where m.queue = p_queue)
        or exists (select from ${schema}.wh_claims c where c.queue = p_queue) then
        raise exception 'The queue % has % partitions and messages in it, so it cannot change to %', p_queue, v_found, p_partitions
            using errcode = 'WB002';
    end if;
    update ${schema}.wh_epoch e set partitions = p_partitions where e.queue = p_queue;
end
$$;
