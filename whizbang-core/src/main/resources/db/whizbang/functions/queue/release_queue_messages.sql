--liquibase formatted sql
--changeset whizbang:release_queue_messages runOnChange:true splitStatements:false stripComments:false
-- Moves delayed messages that are due to the ends of their keys. One caller at a time, so that they keep their order; it waits for
-- nobody but transactions that are about to commit, and must hold nothing yet that those could wait for.
create or replace function ${schema}.release_queue_messages(p_from timestamptz, p_now timestamptz)
returns int
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    c_batch constant int := 1000;
    v_due   ${schema}.wh_scheduled[];
begin
    if not exists (select from ${schema}.wh_scheduled s where s.queue = 5 and s.due_at >= p_from and s.due_at <= p_now) then
        return 0;
    end if;
    -- Waits for another caller: who comes away empty-handed may believe that nothing is due.
    perform pg_advisory_xact_lock(${schema}.advisory_class(), ${schema}.advisory_key(5::smallint, 'scheduled'));
    v_due := array(
        select s from ${schema}.wh_scheduled s
        where s.queue = 5 and s.due_at >= p_from and s.due_at <= p_now
        order by s.due_at, s.id
        limit c_batch
        for update skip locked);
    if cardinality(v_due) = 0 then
        return 0;
    end if;
    perform ${schema}.lock_streams(5::smallint, array_agg(d.stream_id), array_agg(d.partition_hash)) from unnest(v_due) d;
    perform ${schema}.announce_enqueue();
    delete from ${schema}.wh_scheduled s
    using unnest(v_due) d
    where s.queue = 5 and s.due_at = d.due_at and s.id = d.id
      and s.due_at >= p_from and s.due_at <= p_now;
    perform ${schema}.add_queue_messages(array_agg(d.message_id order by d.place), array_agg(d.stream_id order by d.place),
        array_agg(d.stream_key order by d.place), array_agg(d.partition_hash order by d.place), array_agg(d.topic order by d.place),
        array_agg(d.message_type order by d.place), array_agg(d.headers order by d.place), array_agg(d.payload order by d.place), p_now)
    from (select u.*, row_number() over (order by u.due_at, u.id) as place from unnest(v_due) u) d;
    return cardinality(v_due);
end
$$;
