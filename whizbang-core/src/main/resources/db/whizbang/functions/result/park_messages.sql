--liquibase formatted sql
--changeset whizbang:park_messages runOnChange:true splitStatements:false stripComments:false
-- Gives messages back. Never to ready: they may stand below the place where scans start. The lowest of a stream becomes its head
-- by promote_heads; a message without stream is its own head. Returns the streams.
create or replace function ${schema}.park_messages(p_queue smallint, p_seqs bigint[], p_now timestamptz)
returns uuid[]
language plpgsql
as $$
declare
    v_streams uuid[];
begin
    with parked as (
        update ${schema}.wh_messages m
        set status = case when m.stream_id is null then 1 else 2 end,
            scheduled_for = case when m.stream_id is null then p_now end
        where m.queue = p_queue and m.seq = any (p_seqs)
        returning m.stream_id
    )
    select coalesce(array_agg(distinct p.stream_id), '{}') into v_streams from parked p where p.stream_id is not null;
    return v_streams;
end
$$;
