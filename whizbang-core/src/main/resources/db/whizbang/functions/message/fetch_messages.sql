--liquibase formatted sql
--changeset whizbang:fetch_messages runOnChange:true splitStatements:false stripComments:false
-- Messages as a claim brings them, in queue order.
create or replace function ${schema}.fetch_messages(p_queue smallint, p_seqs bigint[])
returns table (
    seq bigint, message_id uuid, stream_id uuid, stream_key text, attempts int, error text, topic text, message_type text,
    headers text, payload text, created_at timestamptz
)
language sql
stable
as $$
    select m.seq, m.message_id, m.stream_id, m.stream_key, m.attempts::int, m.error, m.topic, m.message_type,
        m.headers::text, m.payload, m.created_at
    from ${schema}.wh_messages m
    where m.queue = p_queue and m.seq = any (p_seqs)
    order by m.seq
$$;
