--liquibase formatted sql
--changeset whizbang:seal_join runOnChange:true splitStatements:false stripComments:false
-- Says that no more members will come; has the join looked at, as all of them may have ended already. Returns how many are expected, null when there
-- is no such join. One that is sealed or closed stays as it is.
create or replace function ${schema}.seal_join(p_join uuid, p_now timestamptz default null)
returns int
language plpgsql
as $$
declare
    v_join record;
begin
    select j.status, j.expected, j.attached into v_join from ${schema}.wh_joins j where j.join_id = p_join for no key update;
    if not found or v_join.expected is not null or v_join.status <> 0 then
        return case when found then coalesce(v_join.expected, v_join.attached) end;
    end if;
    update ${schema}.wh_joins j set expected = j.attached where j.join_id = p_join;
    insert into ${schema}.wh_join_reports (join_id, failed, reported_at) values (p_join, false, coalesce(p_now, clock_timestamp()));
    return v_join.attached;
end
$$;
