--liquibase formatted sql
--changeset whizbang:renew_claims runOnChange:true splitStatements:false stripComments:false
create or replace function ${schema}.renew_claims(p_claims jsonb, p_held bigint[], p_request jsonb, p_now timestamptz)
returns void
language sql
as $$
    update ${schema}.wh_claims c
    set lease_expiry = p_now + make_interval(secs => (p_request ->> 'lease_ms')::double precision / 1000)
    where c.claim_id = any (p_held)
      and c.claim_id = any (array(
          select (n ->> 'id')::bigint from jsonb_array_elements(p_claims) n where n ->> 'action' = 'renew'))
$$;
