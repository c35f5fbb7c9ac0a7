--liquibase formatted sql
--changeset whizbang:set_partitions runOnChange:true splitStatements:false stripComments:false
-- A stream must keep its partition while messages of it are claimed: two partitions would be two holders.
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
    -- Nobody may claim while the number changes; the new epoch tells everybody that what they remember is void.
    perform pg_advisory_xact_lock(${schema}.advisory_class(), ${schema}.advisory_key(p_queue, 'membership'));
    if exists (select from ${schema}.wh_claims c where c.queue = p_queue) then
        raise exception 'The queue % has % partitions and messages in work, so it cannot change to %', p_queue, v_found, p_partitions
            using errcode = 'WB002';
    end if;
    update ${schema}.wh_epoch e set partitions = p_partitions, epoch = e.epoch + 1 where e.queue = p_queue;
end
$$;
