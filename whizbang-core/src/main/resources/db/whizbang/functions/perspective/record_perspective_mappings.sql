--liquibase formatted sql
--changeset whizbang:record_perspective_mappings runOnChange:true splitStatements:false stripComments:false
-- Notes which types a perspective wants. Returns those that it begins to want after their events were passed.
create or replace function ${schema}.record_perspective_mappings(
    p_name       text,
    p_version    int,
    p_types      text[],
    p_interested boolean[]
)
returns setof text
language sql
as $$
    with changed as (
        select m.event_type
        from ${schema}.wh_perspective_mappings m
             join unnest(p_types, p_interested) n(event_type, interested) on n.event_type = m.event_type
        where m.name = p_name and m.version = p_version and n.interested and not m.interested
    ), noted as (
        insert into ${schema}.wh_perspective_mappings as m (name, version, event_type, interested, since, resolved_at)
        select p_name, p_version, n.event_type, n.interested, 0, clock_timestamp()
        from unnest(p_types, p_interested) n(event_type, interested)
        order by n.event_type
        on conflict (name, version, event_type) do update
        set interested = excluded.interested, since = ${schema}.last_position(), resolved_at = excluded.resolved_at
        where m.interested <> excluded.interested
    )
    select c.event_type from changed c
$$;
