--liquibase formatted sql
--changeset whizbang:earlier_perspective_events runOnChange:true splitStatements:false stripComments:false
-- Which streams without a checkpoint have events, below the version with which one is to begin, that the perspective wants: none of them
-- should have been passed. Or a type of theirs of which is not known whether it is wanted: then the caller must find out and ask again.
drop function if exists ${schema}.earlier_perspective_events(text, int, uuid[], bigint[]);
create or replace function ${schema}.earlier_perspective_events(p_run bigint, p_streams uuid[], p_versions bigint[])
returns table (stream_id uuid, unknown_type text)
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
declare
    v_run ${schema}.wh_perspectives;
begin
    select * into v_run from ${schema}.wh_perspectives p where p.run_id = p_run;
    return query
        select n.stream_id, e.unknown_type
        from unnest(p_streams, p_versions) n(stream_id, version)
             cross join lateral (
                 select case when m.event_type is null then e.event_type end as unknown_type
                 from ${schema}.wh_events e
                      left join lateral (
                          select m.event_type, m.interested, m.resolved_at, m.since
                          from ${schema}.wh_perspective_mappings m
                          where m.name = v_run.name and m.version = v_run.version and m.event_type = e.event_type
                          limit 1) m on true
                 where e.stream_id = n.stream_id and e.version < n.version
                   -- A run that began after the code did want the type has passed none of its events.
                   and (m.event_type is null or m.interested and (e.position > m.since or m.resolved_at < v_run.started_at))
                 limit 1) e;
end
$$;
