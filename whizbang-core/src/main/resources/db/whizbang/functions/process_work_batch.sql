--liquibase formatted sql
--changeset whizbang:process_work_batch runOnChange:true splitStatements:false stripComments:false
-- The one round trip: reports, claims, and answers. READ COMMITTED only: each lock is taken in a statement before the one that reads.
create or replace function ${schema}.process_work_batch(
    p_queue    smallint,
    p_instance uuid,                      -- who is calling
    p_report   jsonb,                     -- what became of the work claimed earlier; new messages
    p_request  jsonb,                     -- how much more the caller can take; the settings; what it remembers
    p_now      timestamptz default null   -- tests only; null means the database's clock
)
returns table (
    state jsonb, seq bigint, message_id uuid, stream_id uuid, stream_key text, attempts int, error text,
    topic text, message_type text, headers text, payload text, created_at timestamptz
)
language plpgsql
-- A plan made on an empty table would be kept while the table grows: allow only plans that stay good.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_now     timestamptz;
    v_memory  jsonb := p_request -> 'memory';
    v_check   boolean;
    v_own     record;
    v_settled record;
    v_from    timestamptz;
    v_due     record;
    v_moved   record;
    v_more    boolean := false;
    v_held    boolean := false;
    v_ranks   int[] := '{}';
    v_fired   boolean := false;
    v_claimed record;
    v_recovered int := 0;
    v_setting text;
begin
    -- 1. Own lock: calls of one instance for one queue are serial, so it never races against itself.
    perform pg_advisory_xact_lock(hashtextextended(p_instance::text, p_queue));
    v_now := coalesce(p_now, clock_timestamp());
    v_setting := ${schema}.require_read_committed();

    -- 2. Refusal: whoever was removed from the registry has lost all it held; nothing it says may count.
    v_own := ${schema}.registration(p_queue, p_instance, coalesce((v_memory ->> 'claim_low')::bigint, 0));
    if not v_own.is_registered then
        return query select jsonb_build_object('refused', true), null::bigint, null::uuid, null::uuid, null, null::int, null,
            null, null, null, null, null::timestamptz;
        return;
    end if;

    -- 3. New messages: before the membership lock, because storing waits for producers that are just committing.
    if p_report ? 'new' then
        perform ${schema}.store_reported(p_queue, p_report -> 'new', v_now);
    end if;

    -- 4. Presence: show that the caller is alive, remove the dead, agree on the members. Now and then is enough.
    v_check := v_memory is null or (v_memory ->> 'checked_at')::timestamptz <= v_now - interval '1 second';
    if v_check then
        perform ${schema}.check_members(p_queue, p_instance, p_request, v_now);
    end if;

    -- 5. Membership lock, shared: all callers under way have one view, so their shares are disjoint and need no other lock.
    --    Stealing leaves the own share, so it must be alone.
    if (p_request ->> 'steal')::boolean then
        perform pg_advisory_xact_lock(${schema}.advisory_class(), ${schema}.advisory_key(p_queue, 'membership'));
    else
        perform pg_advisory_xact_lock_shared(${schema}.advisory_class(), ${schema}.advisory_key(p_queue, 'membership'));
    end if;

    -- 6. Results: before claims, so that a stream finished here can be claimed again below.
    v_settled := ${schema}.settle_claims(p_queue, p_instance, v_own.claims, p_report, p_request, v_now);
    if p_report ? 'holding' then
        v_settled.released := v_settled.released || ${schema}.strayed_messages(p_queue, p_instance, p_report -> 'holding');
    end if;

    -- 7. Recovery: what expired claims held becomes claimable below, by whoever's share it is.
    if v_check then
        v_recovered := ${schema}.expire_claims(p_queue, v_now);
    end if;

    -- 8. Delayed messages that are due join their streams. When a sweep is due, all of them are looked at.
    v_from := coalesce(
        case when (v_memory ->> 'swept_at')::timestamptz > v_now - interval '30 seconds'
            then (v_memory ->> 'scheduled_from')::timestamptz end, '-infinity');
    v_due := ${schema}.due_messages(p_queue, v_from, coalesce((v_memory ->> 'due_from')::timestamptz, '-infinity'), v_now);
    if v_due.scheduled then
        v_moved := ${schema}.release_scheduled(p_queue, v_from, v_now);
        v_from := v_moved.next_from;
        v_more := v_moved.more;
        v_held := v_moved.held_back;
        v_ranks := v_moved.ranks;
        v_fired := v_moved.fired;
    else
        -- A little earlier, for those that commit late.
        v_from := v_now - interval '10 seconds';
    end if;

    -- 9. Claim: due heads first, then ready messages in order.
    v_claimed := ${schema}.claim_work(p_queue, p_instance, p_request, v_check, v_due.heads, v_now);
    v_claimed.answer := v_claimed.answer || jsonb_build_object(
        'more', v_more or coalesce((v_claimed.answer ->> 'more')::boolean, false),
        'held_back', v_held or coalesce((v_claimed.answer ->> 'held_back')::boolean, false),
        'memory', v_claimed.answer -> 'memory' || jsonb_build_object('scheduled_from', v_from));
    if v_ranks <> '{}' then
        v_claimed.answer := v_claimed.answer || jsonb_build_object('moved_to', v_ranks);
    end if;

    -- 10. Answer. Bodies go along only when they are small: a slow reader would hold the locks of this call.
    return query select jsonb_build_object('lost', v_settled.lost, 'released', v_settled.released, 'recovered', v_recovered)
            || v_claimed.answer, null::bigint, null::uuid, null::uuid, null, null::int, null,
        null, null, null, null, null::timestamptz;
    if v_claimed.carried then
        return query select null::jsonb, f.* from ${schema}.fetch_messages(p_queue, v_claimed.seqs) f;
    end if;

    -- A claim or completion that a crash of the database forgets only repeats a delivery. Stored messages must not be forgotten; nor timers that
    -- have fired, or one of them is delivered and can still be cancelled.
    if not (p_request ->> 'synchronous_commit')::boolean and not p_report ? 'new' and not v_fired then
        v_setting := set_config('synchronous_commit', 'off', true);
    end if;
end
$$;
