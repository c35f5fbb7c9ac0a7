--liquibase formatted sql
--changeset whizbang:read_events runOnChange:true splitStatements:false stripComments:false
-- A page of all events behind a position, as read_stream has it.
create or replace function ${schema}.read_events(p_after bigint, p_limit int, p_bytes bigint)
returns table (event_position bigint, stream_id uuid, stream_key text, version bigint, event_id uuid, event_type text, type_version int,
    metadata text, payload text, recorded_at timestamptz, seen int)
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
        select p.position, p.stream_id, s.stream_key, p.version, p.event_id, p.event_type, p.type_version, p.metadata::text,
            p.payload, p.recorded_at, p.seen::int
        from (select e.*, count(*) over () as seen,
                  sum(octet_length(e.payload)) over (order by e.position) - octet_length(e.payload) as before
              from (select * from ${schema}.wh_events w where w.position > p_after order by w.position limit p_limit) e) p
             join ${schema}.wh_streams s on s.stream_id = p.stream_id
        where p.before < p_bytes
        order by p.position;
end
$$;
