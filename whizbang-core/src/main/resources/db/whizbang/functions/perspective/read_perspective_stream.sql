--liquibase formatted sql
--changeset whizbang:read_perspective_stream runOnChange:true splitStatements:false stripComments:false
-- The next events of one stream that the feed has passed: those that are visible at base, or up to its position at target.
create or replace function ${schema}.read_perspective_stream(
    p_stream_id       uuid,
    p_after           bigint,
    p_base            text,
    p_base_high       bigint,
    p_base_restored   bigint,
    p_target          text,
    p_target_high     bigint,
    p_target_restored bigint,
    p_position        bigint,
    p_unwanted        text[],
    p_limit           int,
    p_bytes           bigint
)
returns table (range_end bigint, seen int, event_position bigint, stream_id uuid, stream_key text, version bigint, event_id uuid,
    event_type text, type_version int, metadata text, payload text, recorded_at timestamptz,
    checkpoint_version bigint, checkpoint_status smallint)
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
    return query
        select 0::bigint, p.seen::int, p.position, p.stream_id,
            (select s.stream_key from ${schema}.wh_streams s where s.stream_id = p.stream_id), p.version, p.event_id, p.event_type, p.type_version,
            case when p.wanted then p.metadata::text end, case when p.wanted then p.payload end, p.recorded_at,
            null::bigint, null::smallint
        from (select f.*, count(*) over () as seen,
                  sum(f.size) over (order by f.version rows between unbounded preceding and current row) - f.size as before
              from (select e.*, w.wanted, case when w.wanted then octet_length(e.payload) else 0 end as size
                    from (select * from ${schema}.wh_events w
                          where w.stream_id = p_stream_id and w.version > p_after
                          order by w.version limit p_limit) e,
                         lateral (select e.event_type <> all (p_unwanted) as wanted) w
                    where ${schema}.feed_visible(e.tx, e.position, p_base::pg_snapshot, p_base_high, p_base_restored)
                       or e.position <= p_position
                          and ${schema}.feed_visible(e.tx, e.position, p_target::pg_snapshot, p_target_high, p_target_restored)) f) p
        where p.before < p_bytes
        order by p.version;
end
$$;
