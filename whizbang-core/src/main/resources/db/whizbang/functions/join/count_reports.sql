--liquibase formatted sql
--changeset whizbang:count_reports runOnChange:true splitStatements:false stripComments:false
-- Counts reports that the caller has locked, with their joins: each member once, by its first report. Those of a join that is closed are kept, but
-- not counted.
drop function if exists ${schema}.count_reports(bigint[]);
create or replace function ${schema}.count_reports(p_reports bigint[], p_joins uuid[])
returns void
language plpgsql
as $$
declare
    v_closed  uuid[] := array(select j.join_id from ${schema}.wh_joins j where j.join_id = any (p_joins) and j.status <> 0);
    v_rows    tid[];
    v_joins   uuid[];
    v_failed  boolean[];
    v_late    boolean[];
    v_reasons text[];
    v_times   timestamptz[];
begin
    -- A limit has members looked up one by one, whatever the statistics say.
    select array_agg(m.row), array_agg(f.join_id), array_agg(f.failed), array_agg(f.join_id = any (v_closed)), array_agg(f.reason), array_agg(f.reported_at)
    into v_rows, v_joins, v_failed, v_late, v_reasons, v_times
    from (select distinct on (r.join_id, r.member) r.*
          from ${schema}.wh_join_reports r
          where r.report_id = any (p_reports) and r.member is not null
          order by r.join_id, r.member, r.report_id) f
         cross join lateral (
             select c.ctid as row from ${schema}.wh_join_members c
             where c.join_id = f.join_id and c.member = f.member and c.outcome = 0
             limit 1
             for update) m;
    if v_rows is null then
        return;
    end if;
    update ${schema}.wh_join_members m
    set outcome = case when u.failed then 2 else 1 end, late = u.late, reported_at = u.reported_at, reason = u.reason
    from unnest(v_rows, v_failed, v_late, v_reasons, v_times) u("row", failed, late, reason, reported_at)
    where m.ctid = u."row";
    update ${schema}.wh_joins j
    set done = j.done + s.done, failed = j.failed + s.failed, late = j.late + s.late
    from (select u.join_id, count(*) filter (where not u.late and not u.failed) as done,
              count(*) filter (where not u.late and u.failed) as failed, count(*) filter (where u.late) as late
          from unnest(v_joins, v_failed, v_late) u(join_id, failed, late)
          group by u.join_id) s
    where j.join_id = s.join_id and j.join_id = any (v_joins);
end
$$;
