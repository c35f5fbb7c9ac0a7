--liquibase formatted sql
--changeset whizbang:store_reported runOnChange:true splitStatements:false stripComments:false
-- Stores the messages that a report brings along.
create or replace function ${schema}.store_reported(p_queue smallint, p_new jsonb, p_now timestamptz)
returns void
language plpgsql
as $$
begin
    if p_new is null then
        return;
    end if;
    perform ${schema}.store_messages(p_queue, array_agg(n.id), array_agg(n.stream_id), array_agg(n.stream_key), array_agg(n.hash),
        array_agg(n.topic), array_agg(n.type), array_agg(n.headers), array_agg(n.payload), array_agg(n.delay_ms),
        array_agg(n.not_before), true, p_now)
    from rows from (jsonb_to_recordset(p_new) as (
        id uuid, stream_id uuid, stream_key text, hash int, topic text, type text, headers jsonb, payload text, delay_ms bigint,
        not_before timestamptz)) n;
end
$$;
