--liquibase formatted sql
--changeset whizbang:record_letter runOnChange:true splitStatements:false stripComments:false
-- Keeps what could not even become a message.
create or replace function ${schema}.record_letter(
    p_queue   smallint,
    p_source  text,
    p_reason  text,
    p_error   text,
    p_raw     bytea,
    p_headers jsonb,
    p_now     timestamptz default null
)
returns bigint
language sql
as $$
    insert into ${schema}.wh_dead_letters (queue, source, reason, attempts, died_at, created_at, headers, error, raw)
    select p_queue, p_source, p_reason, 0, t.now, t.now, p_headers, p_error, p_raw
    from (select coalesce(p_now, clock_timestamp()) as now) t
    returning dead_letter_id
$$;
