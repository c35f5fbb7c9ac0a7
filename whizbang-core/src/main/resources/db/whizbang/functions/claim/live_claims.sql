--liquibase formatted sql
--changeset whizbang:live_claims runOnChange:true splitStatements:false stripComments:false
-- What live claims, and what was passed over before, keep from the caller; and whether some of the latter is claimed no more. Claims made under an equally long member list by another rank are of other partitions.
create or replace function ${schema}.live_claims(
    p_queue    smallint,
    p_instance uuid,
    p_members  int,
    p_rank     int,
    p_low      bigint,
    p_ahead    bigint,
    p_holes    int[],
    out busy           int[],
    out freed          boolean,
    out claimed        bigint[],
    out low            bigint,
    out foreign_claims boolean
)
language plpgsql
as $$
begin
    select min(c.claim_id), coalesce(bool_or(c.instance_id <> p_instance), false)
    into low, foreign_claims
    from ${schema}.wh_claims c
    where c.claim_id >= p_low and c.queue = p_queue and (c.members = p_members and c.rank <> p_rank) is not true;
    if low is null then
        select s.last_value into low from ${schema}.wh_claim_seq s;
        busy := p_holes;
        freed := p_holes <> '{}';
        claimed := '{}';
        return;
    end if;

    select coalesce(array_agg(h.p), '{}'), coalesce(bool_or(not h.is_claimed), false) into busy, freed
    from (select u.p, bool_or(u.is_claimed) as is_claimed
          from (select p, true
                from ${schema}.wh_claims c cross join lateral unnest(c.partitions) p
                where c.claim_id >= low and c.queue = p_queue and (c.members = p_members and c.rank <> p_rank) is not true
                  and p % p_members = p_rank
                union all
                select unnest(p_holes), false) u(p, is_claimed)
          group by u.p) h;
    claimed := array(
        select s
        from ${schema}.wh_claims c cross join lateral unnest(c.seqs) s
        where c.claim_id >= low and c.queue = p_queue and (c.members = p_members and c.rank <> p_rank) is not true
          and c.max_seq > p_ahead and s > p_ahead);
end
$$;
