--liquibase formatted sql
--changeset whizbang:settle_claims runOnChange:true splitStatements:false stripComments:false
-- Applies a report. Whatever it says of a claim that does not exist any more changes nothing and is answered as lost.
drop function if exists ${schema}.settle_claims(smallint, uuid, jsonb, jsonb, timestamptz);
create or replace function ${schema}.settle_claims(
    p_queue    smallint,
    p_instance uuid,
    p_own      bigint[],    -- all claims of the caller
    p_report   jsonb,
    p_request  jsonb,
    p_now      timestamptz,
    out lost     bigint[],
    out released bigint[]
)
language plpgsql
as $$
declare
    v_named    record;
    v_ids      bigint[] := '{}';
    v_held     bigint[];
    v_finished bigint[];
    v_failed   record;
    v_done     bigint[] := '{}';
    v_closed   record;
    v_streams  uuid[];
begin
    -- 1. Fence: lock the claims that are still the caller's.
    lost := '{}';
    released := '{}';
    v_held := '{}';
    if jsonb_array_length(p_report -> 'claims') > 0 then
        select array_agg(c.id) as ids, array_agg(c.token) as tokens,
            coalesce(array_agg(c.id) filter (where c.action = 'finish'), '{}') as finished,
            bool_or(c.action = 'renew') as renews, bool_or(c.done is not null) as has_done
        into v_named
        from jsonb_to_recordset(p_report -> 'claims') c(id bigint, token uuid, action text, done jsonb);
        v_ids := v_named.ids;
        v_held := ${schema}.fence_claims(p_queue, p_instance, v_ids, v_named.tokens);
        if not v_held @> v_ids then
            lost := array(select n from unnest(v_ids) n where n <> all (v_held));
        end if;
    end if;

    -- 2. Claims that the caller does not know were announced in an answer that never arrived.
    if not p_own <@ v_ids and (p_report ->> 'knows_all')::boolean then
        perform ${schema}.give_back_claims(
            p_queue, p_instance, coalesce((p_request #>> '{memory,claim_low}')::bigint, 0), v_ids, p_now);
    end if;
    if v_held = '{}' then
        return;
    end if;

    -- 3. Renewals.
    if v_named.renews then
        perform ${schema}.renew_claims(p_report -> 'claims', v_held, p_request, p_now);
    end if;

    -- 4. Failures first: they decide which later messages of their streams are given back rather than done.
    v_failed := ${schema}.fail_messages(p_queue, p_instance, v_held, p_report -> 'outcomes', p_now);
    released := v_failed.released;

    -- 5. Completions: single ones, then all that is left in finished claims.
    if v_named.has_done then
        v_done := ${schema}.reported_done(p_report -> 'claims', v_held);
    end if;
    if v_named.finished = '{}' and v_done = '{}' and v_failed.reported = '{}' then
        return;
    end if;
    v_finished := array(select f from unnest(v_named.finished) f where f = any (v_held));
    v_closed := ${schema}.close_claims(p_queue, v_finished, v_held, v_done, v_failed.reported || v_failed.released);
    v_streams := ${schema}.complete_messages(
        p_queue, p_instance, v_done || v_closed.rest, v_closed.has_heads, (p_request ->> 'debug')::boolean,
        -- An instance of an older release does not say.
        coalesce((p_report ->> 'members')::boolean, true), p_now);

    -- 6. Streams whose head is gone, or that have one only now.
    if v_streams <> '{}' or v_failed.streams <> '{}' then
        perform ${schema}.promote_heads(p_queue, v_streams || v_failed.streams, p_now);
    end if;
end
$$;
