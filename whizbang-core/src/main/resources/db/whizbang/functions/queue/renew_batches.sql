--liquibase formatted sql
--changeset whizbang:renew_batches runOnChange:true splitStatements:false stripComments:false
-- Renews locks that are not over; returns the keys that are still the caller's. One whose batch is being settled in an open transaction is not
-- renewed, so that the others need not wait for it.
drop function if exists ${schema}.renew_batches(text[], uuid[], uuid[], bigint, timestamptz);
create or replace function ${schema}.renew_batches(
    p_keys     uuid[],
    p_tokens   uuid[],
    p_lease_ms bigint,
    p_now      timestamptz default null
)
returns table (key_id uuid, renewed boolean)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
#variable_conflict use_column
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    return query
        with held as materialized (
            select k.key_id, r.token
            from unnest(p_keys, p_tokens) r(key_id, token)
                 -- The limits have locks be looked for one by one, also by a plan that was made when there were none; and by their tokens, as a
                 -- busy key leaves dead entries with every batch.
                 cross join lateral (select l.key_id from ${schema}.wh_queue_keys l
                                     where l.token = r.token and l.state = 2 and l.due_at > v_now limit 1) k
            where k.key_id = r.key_id
        ), free as materialized (
            select k.row
            from held h
                 cross join lateral (select l.ctid as row from ${schema}.wh_queue_keys l
                                     where l.token = h.token and l.state = 2 and l.due_at > v_now
                                     limit 1
                                     for update skip locked) k
        ), renewed as (
            update ${schema}.wh_queue_keys k
            set due_at = v_now + p_lease_ms * interval '1 millisecond'
            where k.ctid = any (array(select f.row from free f))
            returning k.key_id
        )
        select h.key_id, h.key_id in (select n.key_id from renewed n) from held h;
end
$$;
