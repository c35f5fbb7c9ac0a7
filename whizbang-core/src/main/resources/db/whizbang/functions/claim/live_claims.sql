--liquibase formatted sql
--changeset whizbang:live_claims runOnChange:true splitStatements:false stripComments:false
-- What live claims, and what was passed over before, keep from the caller; and whether some of the latter is claimed no more. Claims made under an equally long member list by another rank are of other partitions.
-- Own claims keep out only a caller that wants it so: one that works on its claims in order may have the next messages of a stream while it
-- still works on the first. Claims with heads keep out their holder too: a handler may finish a head while its line is being looked at.
drop function if exists ${schema}.live_claims(smallint, uuid, int, int, bigint, bigint, int[]);
create or replace function ${schema}.live_claims(
    p_queue    smallint,
    p_instance uuid,
    p_behind_own boolean,
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
declare
    v_is_busy boolean;
    v_is_ahead boolean;
begin
    select coalesce(min(c.claim_id), (select s.last_value from ${schema}.wh_claim_seq s)), bool_or(c.instance_id <> p_instance),
        bool_or(c.has_heads or c.instance_id <> p_instance or not p_behind_own), bool_or(c.max_seq > p_ahead)
    into low, foreign_claims, v_is_busy, v_is_ahead
    from ${schema}.wh_claims c
    where c.claim_id >= p_low and c.queue = p_queue and (c.members = p_members and c.rank <> p_rank) is not true;
    foreign_claims := coalesce(foreign_claims, false);

    busy := p_holes;
    freed := p_holes <> '{}';
    if v_is_busy then
        select coalesce(array_agg(h.p), '{}'), coalesce(bool_or(not h.is_claimed), false) into busy, freed
        from (select u.p, bool_or(u.is_claimed) as is_claimed
              from (select p, true
                    from ${schema}.wh_claims c cross join lateral unnest(c.partitions) p
                    where c.claim_id >= low and c.queue = p_queue and (c.members = p_members and c.rank <> p_rank) is not true
                      and (c.has_heads or c.instance_id <> p_instance or not p_behind_own)
                      and p % p_members = p_rank
                    union all
                    select unnest(p_holes), false) u(p, is_claimed)
              group by u.p) h;
    end if;
    claimed := '{}';
    if v_is_ahead then
        claimed := array(
            select s
            from ${schema}.wh_claims c cross join lateral unnest(c.seqs) s
            where c.claim_id >= low and c.queue = p_queue and (c.members = p_members and c.rank <> p_rank) is not true
              and c.max_seq > p_ahead and s > p_ahead);
    end if;
end
$$;
