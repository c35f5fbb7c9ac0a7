--liquibase formatted sql
--changeset whizbang:safe_mark runOnChange:true splitStatements:false stripComments:false
-- Every number up to the result is committed or gone for every snapshot taken after this call.
-- Reads the last number first, then who is still enqueueing: the other way round, a producer in between would be missed.
create or replace function ${schema}.safe_mark()
returns bigint
language plpgsql
as $$
declare
    v_last   bigint;
    v_behind bigint;
begin
    select s.last_value into v_last from ${schema}.wh_message_seq s;
    -- Markers are numbers modulo 2^31. One that seems very far behind was set after v_last was read, and does not matter.
    select max(b.behind) into v_behind
    from pg_locks l
         cross join lateral (select ((v_last >> 4) - l.objid::bigint) & 2147483647 as behind) b
    where l.locktype = 'advisory'
      and l.classid = ((-${schema}.advisory_class())::bigint & 4294967295)::text::oid
      and l.objsubid = 2
      and l.database = (select d.oid from pg_database d where d.datname = current_database())
      and b.behind < 1073741824;
    return case when v_behind is null then v_last else ((v_last >> 4) - v_behind) << 4 end;
end
$$;
