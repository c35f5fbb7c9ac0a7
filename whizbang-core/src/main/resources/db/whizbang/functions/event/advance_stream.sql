--liquibase formatted sql
--changeset whizbang:advance_stream runOnChange:true splitStatements:false stripComments:false
-- Moves a stream on by a number of events and locks it until the transaction ends. Expected: a version, 0 for a stream that must not
-- exist, null for any. Says where the stream stood; nothing has changed when that is not what was expected.
create or replace function ${schema}.advance_stream(
    p_stream_id  uuid,
    p_stream_key text,
    p_expected   bigint,
    p_count      int,
    p_now        timestamptz,
    out stood    bigint,
    out moved    boolean
)
language plpgsql
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
begin
    moved := true;
    update ${schema}.wh_streams s
    set version = s.version + p_count, appended_at = p_now
    where s.stream_id = p_stream_id and (p_expected is null or s.version = p_expected)
    returning s.version - p_count into stood;
    if stood is not null then
        return;
    end if;
    if coalesce(p_expected, 0) = 0 then
        -- Waits for a transaction that is creating the same stream.
        insert into ${schema}.wh_streams (stream_id, stream_key, version, created_at, appended_at)
        values (p_stream_id, p_stream_key, p_count, p_now, p_now)
        on conflict (stream_id) do nothing
        returning 0 into stood;
        if stood is not null then
            return;
        end if;
    end if;
    if p_expected is null then
        -- Another transaction has created it meanwhile, and streams do not go away.
        update ${schema}.wh_streams s
        set version = s.version + p_count, appended_at = p_now
        where s.stream_id = p_stream_id
        returning s.version - p_count into strict stood;
        return;
    end if;
    moved := false;
    stood := coalesce((select s.version from ${schema}.wh_streams s where s.stream_id = p_stream_id), 0);
    if stood = 0 then
        -- A stream that the caller has created only to lock it.
        delete from ${schema}.wh_streams s where s.stream_id = p_stream_id and s.version = 0;
    end if;
end
$$;
