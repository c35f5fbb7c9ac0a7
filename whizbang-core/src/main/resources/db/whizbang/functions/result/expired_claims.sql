--liquibase formatted sql
--changeset whizbang:expired_claims runOnChange:true splitStatements:false stripComments:false
-- Claims whose lease is over or whose holder is gone, and later claims of the same holder that share a partition with one of them.
create or replace function ${schema}.expired_claims(p_queue smallint, p_low bigint, p_now timestamptz)
returns bigint[]
language plpgsql
as $$
declare
    v_over bigint[];
begin
    v_over := array(
        select c.claim_id
        from ${schema}.wh_claims c
        where c.claim_id >= p_low and c.queue = p_queue
          and (c.lease_expiry < p_now
               or not exists (select from ${schema}.wh_service_instances i where i.instance_id = c.instance_id)));
    if v_over = '{}' then
        return v_over;
    end if;
    return array(
        with recursive over (claim_id) as (
            select unnest(v_over)
            union
            select b.claim_id
            from over o
                 join ${schema}.wh_claims c on c.claim_id = o.claim_id
                 join ${schema}.wh_claims b on b.claim_id > c.claim_id and b.queue = c.queue and b.instance_id = c.instance_id
                      and b.partitions && c.partitions
        )
        select o.claim_id from over o order by o.claim_id);
end
$$;
