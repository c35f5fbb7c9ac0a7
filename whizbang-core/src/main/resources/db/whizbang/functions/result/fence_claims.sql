--liquibase formatted sql
--changeset whizbang:fence_claims runOnChange:true splitStatements:false stripComments:false
-- Locks the named claims that still exist with the caller's token. Existence decides, not time: a late report of a claim that
-- nobody has taken over is as good as an early one.
drop function if exists ${schema}.fence_claims(smallint, uuid, jsonb);
create or replace function ${schema}.fence_claims(p_queue smallint, p_instance uuid, p_claims bigint[], p_tokens uuid[])
returns bigint[]
language plpgsql
as $$
begin
    return array(
        select c.claim_id
        from ${schema}.wh_claims c
        where c.claim_id = any (p_claims)
          and c.queue = p_queue
          and c.instance_id = p_instance
          and c.token = p_tokens[array_position(p_claims, c.claim_id)]
        order by c.claim_id
        for no key update);
end
$$;
