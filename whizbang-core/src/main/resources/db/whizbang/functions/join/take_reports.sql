--liquibase formatted sql
--changeset whizbang:take_reports runOnChange:true splitStatements:false stripComments:false
-- Locks the next reports, all those of joins whose deadline has come, and the joins that they belong to. What somebody else has locked is left to be
-- found again; while that is so of a report, nobody may believe that its join has no more.
create or replace function ${schema}.take_reports(
    p_from   bigint,
    p_due    uuid[],
    p_except uuid[],
    p_limit  int,
    out reports   bigint[],
    out joins     uuid[],
    out low       bigint,
    out more      boolean,
    out held_back boolean
)
language plpgsql
as $$
declare
    v_named uuid[];
    v_late  bigint[] := '{}';
    v_left  boolean := false;
    v_from  bigint := p_from;
    v_held  uuid[] := '{}';
    v_low   bigint;
begin
    loop
        select coalesce(array_agg(r.report_id order by r.report_id), '{}'), coalesce(array_agg(distinct r.join_id), '{}')
        into reports, v_named
        from (select t.report_id, t.join_id
              from ${schema}.wh_join_reports t
              where t.report_id > v_from and t.join_id <> all (p_except || v_held)
              order by t.report_id
              limit p_limit
              for update skip locked) r;
        more := cardinality(reports) = p_limit;
        low := coalesce(reports[cardinality(reports)], v_from);
        exit when not more;
        -- Joins that somebody holds must not fill whole pages before the eyes of the others.
        joins := array(
            select j.join_id from ${schema}.wh_joins j
            where j.join_id = any (v_named)
            order by j.join_id
            for no key update skip locked);
        exit when joins <> '{}' or exists (
            select from unnest(v_named) n(join_id)
            where (select true from ${schema}.wh_joins j where j.join_id = n.join_id) is null);
        v_held := v_held || v_named;
        v_low := coalesce(v_low, reports[1] - 1);
        v_from := low;
    end loop;
    if p_due <> '{}' then
        -- Also what was committed late, and is not looked for any more otherwise. By join: from its beginning, all that is dead would be read.
        v_late := array(
            select r.report_id
            from unnest(p_due) d(join_id)
                 cross join lateral (select t.report_id from ${schema}.wh_join_reports t
                                     where t.join_id = d.join_id
                                     -- Not in the order of an index, which would be read from its beginning.
                                     order by t.report_id + 0
                                     limit p_limit
                                     for update skip locked) r);
        v_left := exists (
            select from unnest(p_due) d(join_id)
                 cross join lateral (select t.report_id from ${schema}.wh_join_reports t where t.join_id = d.join_id) r
            where r.report_id <> all (v_late));
        reports := array(select distinct u.id from unnest(reports || v_late) u(id) order by u.id);
        more := more or v_left;
    end if;
    joins := array(
        select j.join_id from ${schema}.wh_joins j
        where j.join_id = any (v_named || p_due)
        order by j.join_id
        for no key update skip locked);
    -- Reports of joins that are gone are of no use to anybody; those of joins that somebody holds wait.
    v_named := array(
        select j.join_id from ${schema}.wh_joins j
        where j.join_id = any (v_named || p_due) and j.join_id <> all (joins));
    held_back := v_named <> '{}';
    if held_back then
        select coalesce(array_agg(r.report_id) filter (where r.join_id <> all (v_named)), '{}'),
            least(low, min(r.report_id) filter (where r.join_id = any (v_named) and r.report_id > p_from) - 1)
        into reports, low
        from ${schema}.wh_join_reports r
        where r.report_id = any (reports);
    end if;
    low := least(low, v_low);
    held_back := held_back or v_left or v_held <> '{}';
end
$$;
