--liquibase formatted sql
--changeset whizbang:due_time runOnChange:true splitStatements:false stripComments:false
create or replace function ${schema}.due_time(p_delay_ms bigint, p_not_before timestamptz, p_now timestamptz)
returns timestamptz
language sql
immutable
as $$
    select coalesce(p_not_before, p_now + p_delay_ms * interval '1 millisecond', p_now)
$$;
