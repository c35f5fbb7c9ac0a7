--liquibase formatted sql
--changeset whizbang:claim_ready runOnChange:true splitStatements:false stripComments:false
-- Takes ready messages in order, bounded by messages visited. Those of a stream that waits are parked behind its head when met;
-- those of a claimed partition are passed over, and so is, for the rest of this scan, everything else of that partition.
create or replace function ${schema}.claim_ready(
    p_queue   smallint,
    p_members int,
    p_rank    int,
    p_busy    int[],
    p_claimed bigint[],
    p_limit   int,
    p_bytes   bigint,
    p_memory  jsonb,
    out seqs       bigint[],
    out partitions int[],
    out bytes      bigint,
    out more       boolean,
    out held_back  boolean,
    out at_mark    boolean,
    out memory     jsonb
)
language plpgsql
-- With nested loops, the lists of claimed partitions and messages would be gone through once per message.
set enable_nestloop = off
as $$
declare
    -- How many messages must be visited to find one of the caller's share.
    c_share  constant int := least(p_members, 8) + case when p_members > 1 then 1 else 0 end;
    -- Another round costs more than a somewhat longer one: some will be busy.
    c_spare  constant int := 32 + case when p_busy = '{}' then 0 else p_limit / 5 end;
    c_budget constant int := greatest(4 * p_limit * c_share, 5000);
    c_safe   constant bigint := (p_memory ->> 'safe')::bigint;
    v_holes  int[] := array(select h::int from jsonb_array_elements_text(p_memory -> 'holes') h);
    v_held   int[] := array(select h::int from jsonb_array_elements_text(p_memory -> 'held') h);
    v_hole   bigint := (p_memory ->> 'first_hole')::bigint;
    v_ahead  bigint := (p_memory ->> 'ahead')::bigint;
    v_busy   int[] := p_busy;
    v_window int;
    v_seen   int := 0;
    v_round  record;
    v_fit    int;
    v_end    boolean;
begin
    seqs := '{}';
    partitions := '{}';
    bytes := 0;
    if v_holes <> '{}' then
        v_busy := array(select distinct b from unnest(p_busy || v_holes) b);
    end if;
    loop
        v_window := (p_limit - cardinality(seqs)) * c_share + c_spare;
        select * into v_round from ${schema}.scan_ready(
            p_queue, p_members, p_rank, v_busy, p_claimed, p_limit - cardinality(seqs), v_ahead, v_window);
        if bytes + v_round.bytes > p_bytes and v_round.taken <> '{}' then
            v_fit := ${schema}.fit_bytes(p_queue, v_round.taken, p_bytes - bytes);
            v_round.taken := v_round.taken[:v_fit];
            v_round.partitions := v_round.partitions[:v_fit];
            v_round.last_seq := v_round.taken[v_fit];
            v_round.is_full := true;
        end if;
        seqs := seqs || v_round.taken;
        partitions := partitions || v_round.partitions;
        bytes := bytes + v_round.bytes;
        v_seen := v_seen + v_round.visited;
        v_hole := least(v_hole, v_round.first_hole);
        if v_round.holes <> '{}' then
            v_holes := array(select distinct h from unnest(v_holes || v_round.holes) h);
            v_held := array(select distinct h from unnest(v_held || v_round.holes) h);
        end if;
        if v_round.blocked <> '{}' then
            update ${schema}.wh_messages m set status = 2 where m.queue = p_queue and m.seq = any (v_round.blocked);
        end if;
        v_end := v_round.visited < v_window and not v_round.is_full;
        -- Beyond the safe mark a message may still appear behind the scan: what comes after it belongs to the next one.
        exit when v_end or v_round.is_full or v_round.last_seq >= c_safe or v_seen >= c_budget;
        v_ahead := v_round.last_seq;
    end loop;

    v_ahead := greatest(v_ahead, least(case when v_end then c_safe else v_round.last_seq end, c_safe));
    held_back := v_hole is not null;
    -- Perhaps there is more behind the mark, which moves when it is read again.
    at_mark := not v_end and not v_round.is_full and v_round.last_seq >= c_safe;
    more := not v_end and v_round.last_seq < c_safe or v_round.is_full;
    memory := jsonb_build_object('ahead', v_ahead, 'first_hole', v_hole, 'holes', v_holes, 'held', v_held);
    -- Nothing left ahead, or too much to remember: the next scan starts at what was passed over.
    if not more or cardinality(v_holes) > 2000 then
        memory := ${schema}.return_to_hole(memory);
    end if;
end
$$;
