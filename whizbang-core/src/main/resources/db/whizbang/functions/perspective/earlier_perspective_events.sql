--liquibase formatted sql
--changeset whizbang:earlier_perspective_events runOnChange:true splitStatements:false stripComments:false
-- Which streams without a checkpoint have events, below the version with which one is to begin, that the perspective wants: none of them
-- should have been passed.
create or replace function ${schema}.earlier_perspective_events(
    p_name     text,
    p_version  int,
    p_streams  uuid[],
    p_versions bigint[]
)
returns setof uuid
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
    return query
        select n.stream_id
        from unnest(p_streams, p_versions) n(stream_id, version)
             cross join lateral (
                 select
                 from ${schema}.wh_events e
                 where e.stream_id = n.stream_id and e.version < n.version
                   and exists (select from ${schema}.wh_perspective_mappings m
                               where m.name = p_name and m.version = p_version and m.event_type = e.event_type
                                 and m.interested and e.position > m.since)
                 limit 1) e;
end
$$;
