--liquibase formatted sql
--changeset whizbang:shrink_claims runOnChange:true splitStatements:false stripComments:false
-- Takes settled messages out of claims that go on, so that a slow message does not keep the partitions of those beside it.
create or replace function ${schema}.shrink_claims(p_queue smallint, p_held bigint[], p_settled bigint[])
returns void
language sql
as $$
    with rest as (
        select c.claim_id, array(select unnest(c.seqs) except select unnest(p_settled) order by 1) as seqs
        from ${schema}.wh_claims c
        where c.claim_id = any (p_held) and c.seqs && p_settled
    ), emptied as (
        delete from ${schema}.wh_claims c
        where c.claim_id = any (array(select r.claim_id from rest r where r.seqs = '{}'))
    )
    update ${schema}.wh_claims c
    set seqs = r.seqs,
        partitions = array(
            select distinct m.partition_hash % e.partitions
            from ${schema}.wh_messages m join ${schema}.wh_epoch e on e.queue = m.queue
            where m.queue = p_queue and m.seq = any (r.seqs))
    from rest r
    where c.claim_id = r.claim_id and r.seqs <> '{}'
$$;
