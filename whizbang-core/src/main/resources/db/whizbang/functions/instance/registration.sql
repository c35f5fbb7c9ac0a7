--liquibase formatted sql
--changeset whizbang:registration runOnChange:true splitStatements:false stripComments:false
-- Whether an instance is registered for a queue, and which claims it has there; none has a number below p_low.
drop function if exists ${schema}.is_registered(smallint, uuid);
create or replace function ${schema}.registration(
    p_queue    smallint,
    p_instance uuid,
    p_low      bigint,
    out is_registered boolean,
    out claims        bigint[]
)
language plpgsql
stable
as $$
begin
    select exists (select from ${schema}.wh_service_instances i where i.instance_id = p_instance and p_queue = any (i.queues)),
        array(select c.claim_id from ${schema}.wh_claims c
              where c.claim_id >= p_low and c.queue = p_queue and c.instance_id = p_instance)
    into is_registered, claims;
end
$$;
