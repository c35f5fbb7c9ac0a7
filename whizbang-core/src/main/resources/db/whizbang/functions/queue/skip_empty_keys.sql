--liquibase formatted sql
--changeset whizbang:skip_empty_keys runOnChange:true splitStatements:false stripComments:false
-- Clears the line of ready keys, from p_low on, of those without messages, up to the first one that has some. Transactions of the application that
-- end batches leave them. Says how many there were, and where to go on.
create or replace function ${schema}.skip_empty_keys(
    p_queue text,
    p_low   bigint,
    p_limit int,
    p_now   timestamptz,
    out visited int,
    out low     bigint
)
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
    v_key  record;
    v_rows tid[] := '{}';
begin
    low := p_low;
    -- Not as a set: keys behind the first one that has messages need not be read.
    for v_key in
        select k.ctid as row, k.place,
            (select true from ${schema}.wh_queue_messages m where m.key_id = k.key_id and m.seq > k.low limit 1) as used
        from ${schema}.wh_queue_keys k
        where k.queue = p_queue and k.state = 0 and k.place > p_low
        order by k.place
        limit p_limit
    loop
        exit when v_key.used;
        v_rows := v_rows || v_key.row;
        low := v_key.place;
    end loop;
    visited := cardinality(v_rows);
    if visited > 0 then
        perform ${schema}.leave_empty_keys(array(
            select k.ctid from ${schema}.wh_queue_keys k where k.ctid = any (v_rows) and k.state = 0 for update skip locked), p_now);
    end if;
end
$$;
