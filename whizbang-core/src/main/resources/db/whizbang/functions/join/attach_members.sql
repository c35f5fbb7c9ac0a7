--liquibase formatted sql
--changeset whizbang:attach_members runOnChange:true splitStatements:false stripComments:false
-- Attaches members to an open join; those that are attached already stay as they are. All or none: too many, or a join that is closed, attach nothing.
-- The join is the caller's until its transaction ends, so that none is closed or counted in between.
create or replace function ${schema}.attach_members(
    p_join    uuid,
    p_members text[],
    p_now     timestamptz default null,
    out status   smallint,
    out expected int,
    out attached int,
    out added    int,
    out is_full  boolean
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
    v_new text[];
begin
    select j.status, j.expected, j.attached into status, expected, attached
    from ${schema}.wh_joins j where j.join_id = p_join for no key update;
    added := 0;
    is_full := false;
    if status is null or status <> 0 then
        return;
    end if;
    v_new := array(
        select distinct n.member from unnest(p_members) n(member)
        where (select true from ${schema}.wh_join_members m where m.join_id = p_join and m.member = n.member limit 1) is null);
    is_full := coalesce(attached + cardinality(v_new) > expected, false);
    if is_full or v_new = '{}' then
        return;
    end if;
    added := cardinality(v_new);
    insert into ${schema}.wh_join_members (join_id, member, attached_at)
    select p_join, n.member, v_now from unnest(v_new) n(member);
    update ${schema}.wh_joins j set attached = j.attached + added where j.join_id = p_join;
    attached := attached + added;
end
$$;
