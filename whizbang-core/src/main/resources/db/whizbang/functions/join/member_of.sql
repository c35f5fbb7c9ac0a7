--liquibase formatted sql
--changeset whizbang:member_of runOnChange:true splitStatements:false stripComments:false
-- Which member of its join a message is: what its header says, else its own identity.
create or replace function ${schema}.member_of(p_headers jsonb, p_message_id uuid)
returns text
language sql
immutable
as $$
    select coalesce(p_headers ->> 'whizbang-join-member', p_message_id::text)
$$;
