--liquibase formatted sql
--changeset whizbang:plan_fanout_page runOnChange:true splitStatements:false stripComments:false
-- Plans those of some candidates that are due, and moves their cursors; the caller enqueues their slices in the same transaction. A window ends at
-- p_until, and begins where the last completed one ended. A candidate is due when that was long enough ago, unless a slice is under way: such a one
-- is planned again when it would be due the next time, if it ended in the dead letters, or has not been heard of for p_abandon_ms.
-- One row with the number 0 when the coordinator is not the topic's any more.
create or replace function ${schema}.plan_fanout_page(
    p_topic      text,
    p_token      bigint,
    p_until      timestamptz,
    p_work_keys  text[],
    p_shard_keys text[],
    p_abandon_ms bigint,
    p_now        timestamptz default null
)
returns table (number int, slice_id uuid, window_start timestamptz, jitter_ms bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
#variable_conflict use_column
declare
    v_now    timestamptz := coalesce(p_now, clock_timestamp());
    v_fresh  int[];
    v_due    int[];
    v_starts timestamptz[];
    v_rows   tid[];
begin
    perform ${schema}.require_read_committed();
    -- Held until the commit: the next coordinator waits for this page. So nobody else adds cursors of the topic.
    perform from ${schema}.wh_fanout_topics t where t.topic = p_topic and t.token = p_token for share;
    if not found then
        return query select 0, null::uuid, null::timestamptz, null::bigint;
        return;
    end if;
    -- A page is small beside the cursors of its topic: a limit has them looked up one by one, whatever the statistics say.
    v_fresh := array(
        select n.i from generate_series(1, cardinality(p_work_keys)) n(i)
        where (select true from ${schema}.wh_fanout_cursors c
               where c.topic = p_topic and c.work_key = p_work_keys[n.i] and c.shard_key = p_shard_keys[n.i]
               limit 1) is null);
    -- A cursor that is locked belongs to a slice that is being handled.
    select array_agg(n.i), array_agg(d.completed_until), array_agg(d.row)
    into v_due, v_starts, v_rows
    from generate_series(1, cardinality(p_work_keys)) n(i)
         cross join lateral (select ${schema}.fanout_policy_ms(p_topic, p_work_keys[n.i], false) * interval '1 millisecond' as every) k
         cross join lateral (
             select c.completed_until, c.ctid as row
             from ${schema}.wh_fanout_cursors c
             where c.topic = p_topic and c.work_key = p_work_keys[n.i] and c.shard_key = p_shard_keys[n.i]
               and (c.completed_until is null or c.completed_until < p_until and c.completed_until + k.every <= p_until)
               and (c.planned_until is null
                    or c.planned_until < p_until and c.planned_until + k.every <= p_until
                       and (c.planned_at + greatest(k.every, p_abandon_ms * interval '1 millisecond') <= v_now
                            or ${schema}.fanout_slice_died(
                                   ${schema}.fanout_slice_id(c.topic, c.work_key, c.shard_key, c.completed_until), c.planned_at)))
             limit 1
             for update skip locked) d;
    update ${schema}.wh_fanout_cursors c
    set plans = case when c.planned_until is null then 1 else c.plans + 1 end, planned_until = p_until, planned_at = v_now
    where c.ctid = any (v_rows);
    insert into ${schema}.wh_fanout_cursors (topic, work_key, shard_key, planned_until, planned_at)
    select p_topic, p_work_keys[n.i], p_shard_keys[n.i], p_until, v_now
    from unnest(v_fresh) n(i);
    return query
        select d.i, ${schema}.fanout_slice_id(p_topic, p_work_keys[d.i], p_shard_keys[d.i], d.window_start), d.window_start,
            ${schema}.fanout_jitter(p_topic, p_work_keys[d.i], p_shard_keys[d.i],
                ${schema}.fanout_policy_ms(p_topic, p_work_keys[d.i], true))
        from (select u.i, u.window_start from unnest(v_due, v_starts) u(i, window_start)
              union all
              select f.i, null from unnest(v_fresh) f(i)) d
        order by d.i;
end
$$;
