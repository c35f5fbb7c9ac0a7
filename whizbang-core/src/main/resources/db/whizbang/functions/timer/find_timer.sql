--liquibase formatted sql
--changeset whizbang:find_timer runOnChange:true splitStatements:false stripComments:false
create or replace function ${schema}.find_timer(p_id uuid, p_key text)
returns setof ${schema}.wh_scheduled
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
begin
    if p_id is not null then
        return query select * from ${schema}.wh_scheduled s where s.message_id = p_id and s.timer_due is not null;
    else
        return query select * from ${schema}.wh_scheduled s where s.timer_key = p_key and s.timer_key is not null;
    end if;
end
$$;
