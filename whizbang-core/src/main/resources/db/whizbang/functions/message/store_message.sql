--liquibase formatted sql
--changeset whizbang:store_message runOnChange:true splitStatements:false stripComments:false
-- Stores a single message without delay, as most transactions do: as store_messages, at half the cost.
create or replace function ${schema}.store_message(
    p_queue          smallint,
    p_id             uuid,
    p_stream_id      uuid,
    p_stream_key     text,
    p_partition_hash int,
    p_topic          text,
    p_type           text,
    p_headers        jsonb,
    p_payload        text,
    p_strict         boolean
)
returns void
language plpgsql
as $$
declare
    c_lock_timeout constant text := current_setting('lock_timeout');
    -- Assigning to it calls a function without a query of its own, unlike perform.
    v_ignored boolean;
begin
    -- The application's lock timeout is for its own locks: waiting here is short, and giving up would cost its transaction.
    if c_lock_timeout <> '0' then
        perform set_config('lock_timeout', '0', true);
    end if;
    v_ignored := ${schema}.share_streams(p_queue) is null;
    if p_strict and p_stream_id is not null then
        v_ignored := ${schema}.lock_stream(p_queue, p_partition_hash) is null;
    end if;
    v_ignored := ${schema}.announce_enqueue() is null;
    insert into ${schema}.wh_messages
        (queue, partition_number, size, message_id, stream_id, stream_key, topic, message_type, headers, payload)
    values (p_queue, p_partition_hash % (select e.partitions from ${schema}.wh_epoch e where e.queue = p_queue),
        octet_length(p_payload), p_id, p_stream_id, p_stream_key, p_topic, p_type, p_headers, p_payload);
    if c_lock_timeout <> '0' then
        perform set_config('lock_timeout', c_lock_timeout, true);
    end if;
end
$$;
