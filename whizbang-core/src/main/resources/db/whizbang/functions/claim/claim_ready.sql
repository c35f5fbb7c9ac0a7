--liquibase formatted sql
--changeset whizbang:claim_ready runOnChange:true splitStatements:false stripComments:false
-- Takes ready messages in order, bounded by messages visited. Those of a stream that waits are parked behind its head when met;
-- those of a claimed partition are passed over, and so is, for the rest of this scan, everything else of that partition.
create or replace function ${schema}.claim_ready(
    p_queue      smallint,
    p_partitions int,
    p_members    int,
    p_rank       int,
    p_busy       int[],      -- what is claimed, and what was passed over earlier in this scan
    p_freed      boolean,    -- whether some of what was passed over is claimed no more
    p_claimed    bigint[],
    p_limit      int,
    p_bytes      bigint,
    p_memory     jsonb,
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
    c_share  constant int := least(p_members, 8) + case when p_members > 1 then 1 else 0 end;
    c_budget constant int := greatest(4 * p_limit * c_share, 5000);
    c_safe   constant bigint := (p_memory ->> 'safe')::bigint;
    -- Which part of the messages visited could be taken of late: another step costs more than a somewhat longer one.
    v_yield  double precision := coalesce((p_memory ->> 'yield')::double precision, 1.0 / c_share);
    v_holes  int[] := p_memory ->> 'holes';
    v_hole   bigint := (p_memory ->> 'first_hole')::bigint;
    v_ahead  bigint := (p_memory ->> 'ahead')::bigint;
    v_window int;
    v_seen   int := 0;
    v_free   int := 0;
    v_step   record;
    v_fit    int;
    v_end    boolean;
begin
    seqs := '{}';
    partitions := '{}';
    bytes := 0;
    loop
        v_window := least((p_limit - cardinality(seqs)) / v_yield + 64, c_budget);
        v_step := ${schema}.scan_ready(
            p_queue, p_partitions, p_members, p_rank, p_busy, p_claimed, p_limit - cardinality(seqs), v_ahead, v_window);
        if bytes + v_step.bytes > p_bytes and v_step.taken <> '{}' then
            v_fit := ${schema}.fit_bytes(p_queue, v_step.taken, p_bytes - bytes);
            v_step.taken := v_step.taken[:v_fit];
            v_step.partitions := v_step.partitions[:v_fit];
            v_step.last_seq := v_step.taken[v_fit];
            v_step.is_full := true;
        end if;
        seqs := seqs || v_step.taken;
        partitions := partitions || v_step.partitions;
        bytes := bytes + v_step.bytes;
        v_seen := v_seen + v_step.visited;
        v_free := v_free + v_step.free;
        v_hole := least(v_hole, v_step.first_hole);
        if v_step.holes <> '{}' then
            v_holes := array(select distinct h from unnest(v_holes || v_step.holes) h);
        end if;
        if v_step.blocked <> '{}' then
            update ${schema}.wh_messages m set status = 2 where m.queue = p_queue and m.seq = any (v_step.blocked);
        end if;
        v_end := v_step.visited < v_window and not v_step.is_full;
        -- Beyond the safe mark a message may still appear behind the scan: what comes after it belongs to the next one.
        exit when v_end or v_step.is_full or v_step.last_seq >= c_safe or v_seen >= c_budget;
        v_ahead := v_step.last_seq;
    end loop;

    v_ahead := greatest(v_ahead, least(case when v_end then c_safe else v_step.last_seq end, c_safe));
    held_back := v_hole is not null;
    -- Perhaps there is more behind the mark, which moves when it is read again.
    at_mark := not v_end and not v_step.is_full and v_step.last_seq >= c_safe;
    -- At the end, and some of what earlier calls passed over is free by now: look there at once.
    more := not v_end and v_step.last_seq < c_safe or v_step.is_full or v_end and p_freed
        -- The mark is an old one: the next call reads it anew.
        or at_mark and (p_memory ->> 'safe_at')::timestamptz < clock_timestamp() - interval '50 milliseconds';
    if v_seen >= 100 then
        v_yield := greatest(v_free::double precision / v_seen, 0.5 / c_share);
    end if;
    memory := jsonb_build_object(
        'ahead', v_ahead, 'first_hole', v_hole, 'holes', v_holes::text, 'yield', v_yield);
    -- Nothing left ahead, or too much to remember: the next scan starts at what was passed over.
    if v_end or not more or cardinality(v_holes) > 2000 then
        memory := ${schema}.return_to_hole(memory);
    end if;
end
$$;
