--liquibase formatted sql
--changeset whizbang:fence_claims runOnChange:true splitStatements:false stripComments:false
-- Locks the named claims that still exist with the caller's token. Existence decides, not time: a late report of a claim that
-- nobody has taken over is as good as an early one.
create or replace function ${schema}.fence_claims(p_queue smallint, p_instance uuid, p_claims jsonb)
returns bigint[]
language plpgsql
as $$
begin
    return (
        select coalesce(array_agg(held.claim_id), '{}')
        from (
            select c.claim_id
            from ${schema}.wh_claims c
            where c.claim_id = any (array(select (n ->> 'id')::bigint from jsonb_array_elements(p_claims) n))
              and c.queue = p_queue
              and c.instance_id = p_instance
              and exists (
                  select from jsonb_array_elements(p_claims) n
                  where (n ->> 'id')::bigint = c.claim_id and (n ->> 'token')::uuid = c.token)
            order by c.claim_id
            for no key update
        ) held);
end
$$;
