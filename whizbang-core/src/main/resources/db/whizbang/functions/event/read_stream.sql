--liquibase formatted sql
--changeset whizbang:read_stream runOnChange:true splitStatements:false stripComments:false
-- A page of a stream from a version on, in either direction: up to p_limit events, and no more than p_bytes of payload but for the first
-- one. Seen says how many events there were for the page, so that the caller knows whether there may be more.
create or replace function ${schema}.read_stream(p_stream_id uuid, p_from bigint, p_backwards boolean, p_limit int, p_bytes bigint)
returns table (event_position bigint, stream_id uuid, stream_key text, version bigint, event_id uuid, event_type text, type_version int,
    metadata text, payload text, recorded_at timestamptz, seen int)
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
begin
    if p_backwards then
        return query
            select p.position, p.stream_id, null::text, p.version, p.event_id, p.event_type, p.type_version, p.metadata::text,
                p.payload, p.recorded_at, p.seen::int
            from (select e.*, count(*) over () as seen,
                      sum(octet_length(e.payload)) over (order by e.version desc) - octet_length(e.payload) as before
                  from (select * from ${schema}.wh_events w
                        where w.stream_id = p_stream_id and w.version <= p_from
                        order by w.version desc limit p_limit) e) p
            where p.before < p_bytes
            order by p.version desc;
    else
        return query
            select p.position, p.stream_id, null::text, p.version, p.event_id, p.event_type, p.type_version, p.metadata::text,
                p.payload, p.recorded_at, p.seen::int
            from (select e.*, count(*) over () as seen,
                      sum(octet_length(e.payload)) over (order by e.version) - octet_length(e.payload) as before
                  from (select * from ${schema}.wh_events w
                        where w.stream_id = p_stream_id and w.version >= p_from
                        order by w.version limit p_limit) e) p
            where p.before < p_bytes
            order by p.version;
    end if;
end
$$;
