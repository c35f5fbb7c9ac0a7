--liquibase formatted sql
--changeset whizbang:cancel_timers runOnChange:true splitStatements:false stripComments:false
-- Takes away pending timers, in the caller's transaction, and says which. One that is just being fired is waited for, a few milliseconds:
-- who gets the row first decides, and the answer is true if the caller commits.
create or replace function ${schema}.cancel_timers(p_ids uuid[], p_keys text[])
returns table (id uuid, hash int)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
    v_ids uuid[] := '{}';
begin
    if p_ids <> '{}' then
        v_ids := array(
            select s.message_id from ${schema}.wh_scheduled s
            where s.message_id = any (p_ids) and s.timer_due is not null
            order by s.message_id
            for update);
    end if;
    if p_keys <> '{}' then
        v_ids := v_ids || array(
            select s.message_id from ${schema}.wh_scheduled s
            where s.timer_key = any (p_keys) and s.timer_key is not null
            order by s.timer_key
            for update);
    end if;
    if v_ids <> '{}' then
        return query
        delete from ${schema}.wh_scheduled s
        where s.message_id = any (v_ids) and s.timer_due is not null
        returning s.message_id, s.partition_hash;
    end if;
end
$$;
