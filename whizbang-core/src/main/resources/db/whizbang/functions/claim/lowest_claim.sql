--liquibase formatted sql
--changeset whizbang:lowest_claim runOnChange:true splitStatements:false stripComments:false
-- The lowest live claim. Exact only while no call that claims is under way.
create or replace function ${schema}.lowest_claim(p_queue smallint, p_from bigint)
returns bigint
language sql
as $$
    select coalesce(
        (select min(c.claim_id) from ${schema}.wh_claims c where c.claim_id >= p_from and c.queue = p_queue),
        (select s.last_value from ${schema}.wh_claim_seq s))
$$;
