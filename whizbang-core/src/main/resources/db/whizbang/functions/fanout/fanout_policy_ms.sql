--liquibase formatted sql
--changeset whizbang:fanout_policy_ms runOnChange:true splitStatements:false stripComments:false
-- How often the slices of a work key are due, or else their jitter, in milliseconds: its own line, or that for all.
create or replace function ${schema}.fanout_policy_ms(p_topic text, p_work_key text, p_jitter boolean)
returns bigint
language sql
stable
as $$
    select coalesce(
        (select case when p_jitter then p.jitter_ms else p.every_ms end
         from ${schema}.wh_fanout_policies p where p.topic = p_topic and p.work_key = p_work_key),
        (select case when p_jitter then p.jitter_ms else p.every_ms end
         from ${schema}.wh_fanout_policies p where p.topic = p_topic and p.work_key = '*'),
        0)
$$;
