--liquibase formatted sql
--changeset whizbang:timer_headers runOnChange:true splitStatements:false stripComments:false
-- What the message of a timer tells about it. It is late by the database's clock, from when it was due or, if that is later, from when it
-- was stored.
create or replace function ${schema}.timer_headers(
    p_id     uuid,
    p_key    text,
    p_wanted timestamptz,
    p_due    timestamptz,
    p_now    timestamptz
)
returns jsonb
language sql
stable
as $$
    select jsonb_strip_nulls(jsonb_build_object(
        'whizbang-timer-id', p_id,
        'whizbang-timer-key', p_key,
        'whizbang-timer-due', to_char(p_wanted at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'whizbang-timer-late', floor(extract(epoch from p_now - p_due) * 1000000)::bigint::text))
$$;
