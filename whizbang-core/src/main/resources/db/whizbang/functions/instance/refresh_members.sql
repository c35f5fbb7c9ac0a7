--liquibase formatted sql
--changeset whizbang:refresh_members runOnChange:true splitStatements:false stripComments:false
-- Makes the member list equal to the registry. A new epoch tells everybody that what they remember is void.
create or replace function ${schema}.refresh_members(p_queue smallint)
returns void
language plpgsql
as $$
begin
    if (select e.members from ${schema}.wh_epoch e where e.queue = p_queue) = ${schema}.live_members(p_queue) then
        return;
    end if;
    -- Waits for every call under way; all later ones see the new list.
    perform pg_advisory_xact_lock(${schema}.advisory_class(), ${schema}.advisory_key(p_queue, 'membership'));
    update ${schema}.wh_epoch e
    set epoch = e.epoch + 1,
        members = ${schema}.live_members(p_queue),
        claim_low = ${schema}.lowest_claim(p_queue, e.claim_low)
    where e.queue = p_queue and e.members <> ${schema}.live_members(p_queue);
end
$$;
