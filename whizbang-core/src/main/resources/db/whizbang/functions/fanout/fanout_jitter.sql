--liquibase formatted sql
--changeset whizbang:fanout_jitter runOnChange:true splitStatements:false stripComments:false
-- By how many milliseconds a slice is delayed: always the same for the same keys, and spread evenly over different ones.
create or replace function ${schema}.fanout_jitter(p_topic text, p_work_key text, p_shard_key text, p_jitter_ms bigint)
returns bigint
language sql
stable
as $$
    select case when p_jitter_ms = 0 then 0 else
        ('x' || substr(md5(concat_ws(chr(31), p_topic, p_work_key, p_shard_key)), 1, 12))::bit(48)::bigint % (p_jitter_ms + 1) end
$$;
