--liquibase formatted sql
--changeset whizbang:join_of runOnChange:true splitStatements:false stripComments:false
-- The join that a message belongs to. Null when it belongs to none, also when its header is none of ours: the engine must not fail because of it.
create or replace function ${schema}.join_of(p_headers jsonb)
returns uuid
language sql
immutable
as $$
    select case when p_headers ->> 'whizbang-join' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        then (p_headers ->> 'whizbang-join')::uuid end
$$;
