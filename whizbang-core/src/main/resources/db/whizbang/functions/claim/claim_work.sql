--liquibase formatted sql
--changeset whizbang:claim_work runOnChange:true splitStatements:false stripComments:false
-- Claims what the caller may have: due heads with what is parked behind them, then ready messages in order. A partition that
-- another instance has in a live claim is left alone, so a stream has one holder.
drop function if exists ${schema}.claim_work(smallint, uuid, jsonb, boolean, timestamptz);
create or replace function ${schema}.claim_work(
    p_queue    smallint,
    p_instance uuid,
    p_request  jsonb,
    p_checked  boolean,
    p_is_due   boolean,     -- whether there are heads that may be due
    p_now      timestamptz,
    out seqs    bigint[],
    out carried boolean,
    out answer  jsonb
)
language plpgsql
as $$
declare
    v_limit   int := coalesce((p_request ->> 'limit')::int, 0);
    v_view    record;
    v_memory  jsonb;
    v_live    record;
    v_heads   record;
    v_ready   record;
    v_orphans int := 0;
    v_parts   int[];
    v_capped  boolean := false;
begin
    -- 1. The view that all callers share, and what the caller remembers of it.
    v_view := ${schema}.queue_view(p_queue, p_instance, (p_request ->> 'steal')::boolean);
    v_memory := p_request -> 'memory';
    if (v_memory ->> 'incarnation')::uuid is distinct from v_view.incarnation then
        v_memory := null;
    end if;
    v_memory := ${schema}.recall(v_memory, v_view.epoch, v_view.low, v_view.claim_low)
        || jsonb_build_object('incarnation', v_view.incarnation);
    if p_checked then
        v_memory := v_memory || jsonb_build_object('checked_at', p_now);
    end if;
    seqs := '{}';
    carried := false;
    answer := jsonb_build_object('members', v_view.members, 'rank', v_view.own_rank, 'epoch', v_view.epoch, 'memory', v_memory);
    if v_limit <= 0 or v_view.rank is null then
        return;
    end if;

    -- 2. Marks and claims, both before messages are read: a message completed in between must look claimed, not free.
    v_memory := ${schema}.refresh_marks(v_memory, v_view.last_number);
    v_live := ${schema}.live_claims(
        p_queue, p_instance, coalesce((p_request ->> 'behind_own')::boolean, false), v_view.members, v_view.rank, (v_memory ->> 'claim_low')::bigint, (v_memory ->> 'ahead')::bigint,
        (v_memory ->> 'holes')::int[]);

    -- 3. The net: it should never find anything.
    if p_checked and not (p_request ->> 'steal')::boolean then
        select * into v_orphans, v_memory from ${schema}.sweep_queue(p_queue, v_view.partitions, v_view.members, v_view.rank, v_memory, p_now);
    end if;

    -- 4. Heads get at most half of the room, so that a storm of retries does not stop fresh work. Without a memory of its own, nobody
    --    has looked for them yet.
    v_heads := ${schema}.claim_heads(
        p_queue, v_view.partitions, v_view.members, v_view.rank, v_live.busy, greatest(v_limit / 2, 1), (p_request ->> 'max_bytes')::bigint, v_memory,
        p_is_due or p_checked or not v_memory ? 'due_from', p_now);
    v_ready := ${schema}.claim_ready(
        p_queue, v_view.partitions, v_view.members, v_view.rank, v_live.busy, v_live.freed, v_live.claimed, v_limit - cardinality(v_heads.seqs),
        (p_request ->> 'max_bytes')::bigint - v_heads.bytes, v_memory);
    v_memory := v_memory || v_heads.memory || v_ready.memory || jsonb_build_object('claim_low', v_live.low);
    seqs := v_heads.seqs || v_ready.seqs;
    v_parts := v_heads.partitions || v_ready.partitions;
    if (p_request ->> 'max_partitions') is not null then
        select k.seqs, k.partitions, k.memory into seqs, v_parts, v_memory
        from ${schema}.keep_within_partitions(
            p_queue, p_instance, (p_request ->> 'max_partitions')::int, seqs, v_parts, v_ready.seqs, v_memory) k;
        v_capped := cardinality(seqs) < cardinality(v_heads.seqs) + cardinality(v_ready.seqs);
    end if;

    -- 5. The claim.
    answer := answer || jsonb_build_object(
        'more', not v_capped and (v_heads.more or v_ready.more),
        'held_back', v_ready.at_mark or v_live.foreign_claims and (v_heads.held_back or v_ready.held_back),
        'orphans', v_orphans,
        'memory', v_memory);
    if not (answer ->> 'more')::boolean then
        -- Also with a claim: while its handlers take their time, nobody else would tell when the next message is due.
        answer := answer || jsonb_build_object('next_due_ms', ${schema}.next_due_ms(p_queue, p_now));
    end if;
    if seqs <> '{}' then
        carried := v_heads.bytes + v_ready.bytes <= 65536;
        answer := answer || ${schema}.write_claim(
            p_queue, p_instance, p_request, v_view.claim_members, v_view.claim_rank, seqs, v_parts, v_heads.seqs <> '{}', p_now);
        answer := answer || jsonb_build_object('carried', carried, 'claimed', cardinality(seqs));
    end if;
end
$$;
