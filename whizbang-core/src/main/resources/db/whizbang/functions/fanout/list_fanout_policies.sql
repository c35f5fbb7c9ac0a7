--liquibase formatted sql
--changeset whizbang:list_fanout_policies runOnChange:true splitStatements:false stripComments:false
-- The policies of a topic, that for all work keys first.
create or replace function ${schema}.list_fanout_policies(p_topic text)
returns table (work_key text, every_ms bigint, jitter_ms bigint, edited boolean, updated_at timestamptz)
language sql
stable
as $$
    select p.work_key, p.every_ms, p.jitter_ms, p.edited, p.updated_at
    from ${schema}.wh_fanout_policies p
    where p.topic = p_topic
    order by p.work_key <> '*', p.work_key
    limit 1000
$$;
