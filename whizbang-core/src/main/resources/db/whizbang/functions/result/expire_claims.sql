--liquibase formatted sql
--changeset whizbang:expire_claims runOnChange:true splitStatements:false stripComments:false
-- Recovers what expired claims, and claims of instances that are gone, still hold. Returns how many messages that were.
-- A later claim of the same holder that shares a partition goes along: its messages stand behind those that come back.
create or replace function ${schema}.expire_claims(p_queue smallint, p_now timestamptz)
returns int
language plpgsql
as $$
declare
    v_low    bigint := (select e.claim_low from ${schema}.wh_epoch e where e.queue = p_queue);
    v_dead   bigint[];
    v_locked bigint[];
    v_seqs   bigint[];
begin
    v_dead := ${schema}.expired_claims(p_queue, v_low, p_now);
    if v_dead = '{}'
        or not pg_try_advisory_xact_lock(${schema}.advisory_class(), ${schema}.advisory_key(p_queue, 'expiry')) then
        return 0;
    end if;
    -- A claim that is locked is being reported right now: its holder is alive after all.
    v_locked := array(
        select c.claim_id
        from ${schema}.wh_claims c
        where c.claim_id = any (v_dead)
        order by c.claim_id
        for update of c skip locked);
    -- Some may have been renewed meanwhile; and none goes while one behind it has to stay.
    v_dead := ${schema}.expired_claims(p_queue, v_low, p_now);
    v_dead := array(
        with recursive staying (claim_id) as (
            select d from unnest(v_dead) d where d <> all (v_locked)
            union
            select c.claim_id
            from staying s
                 join ${schema}.wh_claims b on b.claim_id = s.claim_id
                 join ${schema}.wh_claims c on c.claim_id < b.claim_id and c.queue = b.queue and c.instance_id = b.instance_id
                      and c.partitions && b.partitions
            where c.claim_id = any (v_dead)
        )
        select unnest(v_dead) except select s.claim_id from staying s);
    if v_dead = '{}' then
        return 0;
    end if;
    perform ${schema}.blame_suspects(p_queue, v_dead);
    with gone as (
        delete from ${schema}.wh_claims c where c.claim_id = any (v_dead) returning c.seqs
    )
    select array_agg(s) into v_seqs from gone, unnest(gone.seqs) s;
    perform ${schema}.promote_heads(p_queue, ${schema}.park_messages(p_queue, v_seqs, p_now), p_now);
    -- Those that their handlers have completed need no recovery.
    return (select count(*) from ${schema}.wh_messages m where m.queue = p_queue and m.seq = any (v_seqs));
end
$$;
