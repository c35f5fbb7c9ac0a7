--liquibase formatted sql
--changeset whizbang:append_events runOnChange:true splitStatements:false stripComments:false
-- Appends events to one or several streams, all or none of them. A conflict is an answer, not an error, so that the caller's transaction
-- can go on. p_places says to which of the streams, counted from 1, an event goes; p_offsets which one of its events it is.
create or replace function ${schema}.append_events(
    p_stream_ids    uuid[],
    p_stream_keys   text[],
    p_expected      bigint[],
    p_counts        int[],
    p_places        int[],
    p_offsets       int[],
    p_event_ids     uuid[],
    p_types         text[],
    p_type_versions int[],
    p_metadata      jsonb[],
    p_payloads      text[],
    p_now           timestamptz default null
)
returns table (place int, stood bigint, moved boolean, last_position bigint)
language plpgsql
-- Planning anew for every length of the lists would cost more than the insert.
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    v_now    timestamptz := coalesce(p_now, clock_timestamp());
    v_stood  bigint[];
    v_last   bigint[];
    v_place  int;
    v_stream record;
begin
    if cardinality(p_stream_ids) > 1 then
        select array_agg(coalesce(l.version, 0) order by n.place) into v_stood
        from unnest(p_stream_ids) with ordinality n(id, place)
             left join ${schema}.lock_event_streams(p_stream_ids, p_stream_keys, p_expected, v_now) l on l.stream_id = n.id;
        if exists (select from unnest(v_stood, p_expected) c(stood, expected) where c.stood <> c.expected) then
            -- What was created only to be locked.
            delete from ${schema}.wh_streams s where s.stream_id = any (p_stream_ids) and s.version = 0;
            return query
                select c.place::int, c.stood, coalesce(c.stood = c.expected, true), null::bigint
                from unnest(v_stood, p_expected) with ordinality c(stood, expected, place);
            return;
        end if;
    end if;

    for v_place in 1 .. cardinality(p_stream_ids) loop
        select * into v_stream
        from ${schema}.advance_stream(p_stream_ids[v_place], p_stream_keys[v_place], p_expected[v_place], p_counts[v_place], v_now);
        v_stood[v_place] := v_stream.stood;
        if not v_stream.moved then
            -- The only stream: several were locked and compared before.
            return query select v_place, v_stream.stood, false, null::bigint;
            return;
        end if;
    end loop;

    with written as (
        insert into ${schema}.wh_events (version, recorded_at, stream_id, event_id, type_version, event_type, metadata, payload)
        select v_stood[p_places[n.i]] + p_offsets[n.i], v_now, p_stream_ids[p_places[n.i]], p_event_ids[n.i], p_type_versions[n.i],
            p_types[n.i], p_metadata[n.i], p_payloads[n.i]
        from generate_series(1, cardinality(p_event_ids)) n(i)
        order by n.i
        returning stream_id, position
    ), ends as (
        select w.stream_id, max(w.position) as position from written w group by w.stream_id
    )
    select array_agg(e.position order by n.place) into v_last
    from unnest(p_stream_ids) with ordinality n(id, place) join ends e on e.stream_id = n.id;

    return query
        select c.place::int, c.stood, true, c.last
        from unnest(v_stood, v_last) with ordinality c(stood, last, place);
end
$$;
