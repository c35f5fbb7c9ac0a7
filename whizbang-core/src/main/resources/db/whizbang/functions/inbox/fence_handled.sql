--liquibase formatted sql
--changeset whizbang:fence_handled runOnChange:true splitStatements:false stripComments:false
-- Keeps the claims until the caller's transaction ends: nobody can take them over, expire or give back what they hold, but the
-- holder's exchanges go on. Returns those that do not exist any more.
create or replace function ${schema}.fence_handled(p_queue smallint, p_claims bigint[], p_tokens uuid[])
returns bigint[]
language plpgsql
as $$
declare
    v_held bigint[];
begin
    v_held := array(
        select c.claim_id
        from ${schema}.wh_claims c
             join (select distinct u.claim_id, u.token from unnest(p_claims, p_tokens) u(claim_id, token)) named
                 on named.claim_id = c.claim_id and named.token = c.token
        where c.claim_id = any (p_claims) and c.queue = p_queue
        order by c.claim_id
        for key share of c);
    return array(select distinct u from unnest(p_claims) u where u <> all (v_held));
end
$$;
