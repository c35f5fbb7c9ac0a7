--liquibase formatted sql
--changeset whizbang:timer_headers runOnChange:true splitStatements:false stripComments:false
-- What the message of a timer tells about it. It is late by the database's clock, from when it was due or, if that is later, from when it
-- was stored. Made of an array of texts: an object built value by value, without its nulls, takes twice the time, and many timers may be due at once.
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
    select jsonb_object(array[
            'whizbang-timer-id', p_id::text,
            'whizbang-timer-due', to_char(p_wanted at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
            'whizbang-timer-late', round(date_part('epoch', p_now - p_due) * 1000000)::bigint::text]
        || case when p_key is not null then array['whizbang-timer-key', p_key] end)
$$;
