--liquibase formatted sql
--changeset whizbang:next_fanout_ms runOnChange:true splitStatements:false stripComments:false
-- Milliseconds until one of these topics is due. Null when there is none.
create or replace function ${schema}.next_fanout_ms(p_topics text[], p_now timestamptz default null)
returns bigint
language plpgsql
stable
as $$
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
begin
    return (select ceil(1000 * extract(epoch from min(greatest(t.next_run_at, t.retry_at)) - v_now))
            from ${schema}.wh_fanout_topics t
            where t.topic = any (p_topics));
end
$$;
