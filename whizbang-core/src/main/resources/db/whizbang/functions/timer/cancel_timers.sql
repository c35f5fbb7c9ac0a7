--liquibase formatted sql
--changeset whizbang:cancel_timers runOnChange:true splitStatements:false stripComments:false
-- Takes away pending timers, in the caller's transaction, and says which. One that is just being fired is waited for, a few milliseconds:
-- who gets the row first decides, and the answer is true if the caller commits. Members of joins are reported as failed: nobody else would.
drop function if exists ${schema}.cancel_timers(uuid[], text[]);
create or replace function ${schema}.cancel_timers(p_ids uuid[], p_keys text[], p_now timestamptz default null)
returns table (id uuid, hash int, member boolean)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
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
        with gone as (
            delete from ${schema}.wh_scheduled s
            where s.message_id = any (v_ids) and s.timer_due is not null
            returning s.message_id, s.partition_hash, s.headers
        ), reported as (
            insert into ${schema}.wh_join_reports (join_id, member, failed, reason, reported_at)
            select ${schema}.join_of(g.headers), ${schema}.member_of(g.headers, g.message_id), true, 'the timer was cancelled',
                coalesce(p_now, clock_timestamp())
            from gone g
            where ${schema}.join_of(g.headers) is not null
            order by g.message_id
        )
        select g.message_id, g.partition_hash, ${schema}.join_of(g.headers) is not null from gone g;
    end if;
end
$$;
