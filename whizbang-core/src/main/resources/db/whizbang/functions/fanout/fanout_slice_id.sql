--liquibase formatted sql
--changeset whizbang:fanout_slice_id runOnChange:true splitStatements:false stripComments:false
-- Identity of a slice's message: the same for the same topic, work, shard and start of the window, and for nothing else. Keys have no control
-- characters, so that one can stand between them. UUID of version 8.
create or replace function ${schema}.fanout_slice_id(p_topic text, p_work_key text, p_shard_key text, p_window_start timestamptz)
returns uuid
language sql
stable
as $$
    select encode(set_byte(set_byte(h.hash, 6, get_byte(h.hash, 6) & 15 | 128), 8, get_byte(h.hash, 8) & 63 | 128), 'hex')::uuid
    from (select substring(sha256(convert_to(concat_ws(chr(31), 'fanout', p_topic, p_work_key, p_shard_key,
              coalesce((extract(epoch from p_window_start) * 1000000)::bigint::text, 'first')), 'UTF8')) for 16) as hash) h
$$;
