--liquibase formatted sql
--changeset whizbang:keep_completed runOnChange:true splitStatements:false stripComments:false
-- Debug mode: copies messages that are about to be completed, with who and when.
create or replace function ${schema}.keep_completed(p_queue smallint, p_instance uuid, p_seqs bigint[], p_now timestamptz)
returns void
language sql
as $$
    insert into ${schema}.wh_completed
        (queue, completed_at, completed_by, seq, attempts, created_at, partition_hash, message_id, stream_id, stream_key,
         topic, message_type, headers, payload)
    select m.queue, p_now, p_instance, m.seq, m.attempts, m.created_at, m.partition_hash, m.message_id, m.stream_id,
        m.stream_key, m.topic, m.message_type, m.headers, m.payload
    from ${schema}.wh_messages m
    where m.queue = p_queue and m.seq = any (p_seqs)
$$;
