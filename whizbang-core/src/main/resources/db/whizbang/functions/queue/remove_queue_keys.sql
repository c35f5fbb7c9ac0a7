--liquibase formatted sql
--changeset whizbang:remove_queue_keys runOnChange:true splitStatements:false stripComments:false
-- Removes those of the keys, locked by the caller, that have no messages left; returns them. A key that a producer is about to use stays, to
-- be found empty later. Keys are told by where their rows are: by their names, all that is dead of a busy one would be read.
drop function if exists ${schema}.remove_queue_keys(text, uuid[]);
create or replace function ${schema}.remove_queue_keys(p_rows tid[])
returns tid[]
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    c_locks   constant int := 64;
    v_quiet   tid[];
    v_removed tid[];
    v_alone   boolean;
begin
    v_quiet := array(
        select k.ctid
        from ${schema}.wh_queue_keys k
        where k.ctid = any (p_rows)
          -- Not as "not exists": a plan that was made when there were no keys would read them all.
          and (select true from ${schema}.wh_queue_messages m where m.key_id = k.key_id and m.seq > k.low limit 1) is null);
    -- The lock table is finite and shared by all: one lock for everything replaces very many, or else the first ones have to do.
    v_alone := cardinality(v_quiet) > c_locks
        and pg_try_advisory_xact_lock(${schema}.advisory_class(), ${schema}.advisory_key(5::smallint, 'all streams'));
    -- In a statement of its own, so that no key is locked that has messages. Nobody else knows the key of a message without one.
    v_quiet := array(
        select k.ctid
        from (select u.row, row_number() over () as place from unnest(v_quiet) u("row")) q
             cross join lateral (select l.ctid, l.routing_key, l.partition_hash from ${schema}.wh_queue_keys l
                                 where l.ctid = q.row limit 1) k
        where case when k.routing_key is null or v_alone then true
                   when q.place <= c_locks then ${schema}.lock_queue_key(k.partition_hash)
                   else false end);
    if cardinality(v_quiet) = 0 then
        return '{}';
    end if;
    -- Looks once more, at what was committed before the locks were taken.
    with gone as (
        delete from ${schema}.wh_queue_keys k
        where k.ctid = any (v_quiet)
          and (select true from ${schema}.wh_queue_messages m where m.key_id = k.key_id and m.seq > k.low limit 1) is null
        returning k.ctid
    )
    select coalesce(array_agg(g.ctid), '{}') into v_removed from gone g;
    return v_removed;
end
$$;
