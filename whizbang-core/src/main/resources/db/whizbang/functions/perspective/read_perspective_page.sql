--liquibase formatted sql
--changeset whizbang:read_perspective_page runOnChange:true splitStatements:false stripComments:false
-- A page of what became visible between two ticks in some shards of a run, behind a position: all their events, but payloads and metadata
-- only where they may be wanted, and where the streams stand. Range_end says how far was looked, seen how many events there were.
create or replace function ${schema}.read_perspective_page(
    p_run             bigint,
    p_shards          int[],
    p_count           int,
    p_base            text,
    p_base_low        bigint,
    p_base_high       bigint,
    p_base_restored   bigint,
    p_target          text,
    p_target_high     bigint,
    p_target_restored bigint,
    p_position        bigint,
    p_unwanted        text[],
    p_limit           int,
    p_scan            bigint,
    p_bytes           bigint
)
returns table (range_end bigint, seen int, event_position bigint, stream_id uuid, stream_key text, version bigint, event_id uuid,
    event_type text, type_version int, metadata text, payload text, recorded_at timestamptz,
    checkpoint_version bigint, checkpoint_status smallint)
language plpgsql
set plan_cache_mode = force_generic_plan
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_base   pg_snapshot := p_base::pg_snapshot;
    v_target pg_snapshot := p_target::pg_snapshot;
    v_late   boolean := false;
    v_after  bigint := greatest(p_position, p_base_low);
    v_end    bigint;
    v_first  bigint;
begin
    if p_position < p_base_low then
        v_late := exists (
            select from ${schema}.feed_late(v_base, p_base_low, p_base_restored, v_target, p_target_high, p_target_restored,
                p_position, p_shards, p_count, 1));
    end if;
    if v_late then
        v_end := p_base_low;
    else
        -- Positions of transactions that were rolled back are holes, maybe large ones.
        select w.position into v_first
        from ${schema}.wh_events w
        where w.position > v_after and w.position <= p_target_high
        order by w.position
        limit 1;
        v_end := case when v_first is null then p_target_high else least(p_target_high, v_first - 1 + p_scan) end;
    end if;

    return query
        with page as materialized (
            select p.*
            from (select f.*, count(*) over () as seen,
                      sum(f.size) over (order by f.position rows between unbounded preceding and current row) - f.size as before
                  from (select e.*, w.wanted, case when w.wanted then octet_length(e.payload) else 0 end as size
                        from (select * from ${schema}.feed_late(v_base, p_base_low, p_base_restored, v_target, p_target_high,
                                  p_target_restored, p_position, p_shards, p_count, p_limit)
                              where v_late
                              union all
                              select * from ${schema}.feed_range(v_base, p_base_high, p_base_restored, v_target, p_target_high,
                                  p_target_restored, v_after, v_end, p_shards, p_count, p_limit)
                              where not v_late) e,
                             lateral (select e.event_type <> all (p_unwanted) as wanted) w) f) p
            where p.before < p_bytes
        ), streams as materialized (
            -- Once for every stream, not for every event. The limit keeps the planner from reading all of them at once: it may have
            -- planned when there were none.
            select d.stream_id, c.version, c.status,
                case when d.wanted then (select k.stream_key from ${schema}.wh_streams k where k.stream_id = d.stream_id) end as stream_key
            from (select q.stream_id, bool_or(q.wanted) as wanted from page q group by q.stream_id) d
                 left join lateral (
                     select c.version, c.status from ${schema}.wh_perspective_checkpoints c
                     where c.run_id = p_run and c.stream_id = d.stream_id limit 1) c on true
        )
        select v_end, p.seen::int, p.position, p.stream_id, s.stream_key, p.version, p.event_id, p.event_type, p.type_version,
            case when p.wanted then p.metadata::text end, case when p.wanted then p.payload end, p.recorded_at,
            s.version, s.status
        from page p join streams s on s.stream_id = p.stream_id
        order by p.position;
    if not found then
        return query select v_end, 0, null::bigint, null::uuid, null, null::bigint, null::uuid, null, null::int, null, null,
            null::timestamptz, null::bigint, null::smallint;
    end if;
end
$$;
