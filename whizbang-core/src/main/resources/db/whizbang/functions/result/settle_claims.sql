--liquibase formatted sql
--changeset whizbang:settle_claims runOnChange:true splitStatements:false stripComments:false
-- Applies a report. Whatever it says of a claim that does not exist any more changes nothing and is answered as lost.
create or replace function ${schema}.settle_claims(
    p_queue    smallint,
    p_instance uuid,
    p_report   jsonb,
    p_request  jsonb,
    p_now      timestamptz,
    out lost     bigint[],
    out released bigint[]
)
language plpgsql
as $$
declare
    v_held     bigint[];
    v_finished bigint[];
    v_failed   record;
    v_done     bigint[] := '{}';
    v_closed   record;
    v_streams  uuid[];
begin
    -- 1. Fence: lock the claims that are still the caller's.
    v_held := ${schema}.fence_claims(p_queue, p_instance, p_report -> 'claims');
    lost := array(
        select (c ->> 'id')::bigint from jsonb_array_elements(p_report -> 'claims') c where (c ->> 'id')::bigint <> all (v_held));
    released := '{}';

    -- 2. Claims that the caller does not know were announced in an answer that never arrived.
    if (p_report ->> 'knows_all')::boolean then
        perform ${schema}.give_back_claims(
            p_queue, p_instance, coalesce((p_request #>> '{memory,claim_low}')::bigint, 0), array(select (c ->> 'id')::bigint from jsonb_array_elements(p_report -> 'claims') c), p_now);
    end if;
    if v_held = '{}' then
        return;
    end if;

    -- 3. Renewals.
    if p_report @> '{"claims": [{"action": "renew"}]}' then
        perform ${schema}.renew_claims(p_report -> 'claims', v_held, p_request, p_now);
    end if;

    -- 4. Failures first: they decide which later messages of their streams are given back rather than done.
    select * into v_failed from ${schema}.fail_messages(p_queue, p_instance, v_held, p_report -> 'outcomes', p_now);
    released := v_failed.released;

    -- 5. Completions: single ones, then all that is left in finished claims.
    if p_report @? '$.claims[*].done' then
        v_done := ${schema}.reported_done(p_report -> 'claims', v_held);
    end if;
    v_finished := array(
        select (c ->> 'id')::bigint from jsonb_array_elements(p_report -> 'claims') c
        where c ->> 'action' = 'finish' and (c ->> 'id')::bigint = any (v_held));
    select * into v_closed from ${schema}.close_claims(p_queue, v_finished, v_held, v_done, v_failed.reported || v_failed.released);
    v_streams := ${schema}.complete_messages(
        p_queue, p_instance, v_done || v_closed.rest, v_closed.has_heads, (p_request ->> 'debug')::boolean, p_now);

    -- 6. Streams whose head is gone, or that have one only now.
    perform ${schema}.promote_heads(p_queue, v_streams || v_failed.streams, p_now);
end
$$;
