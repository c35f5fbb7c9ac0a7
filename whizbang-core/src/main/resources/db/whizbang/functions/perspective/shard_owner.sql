--liquibase formatted sql
--changeset whizbang:shard_owner runOnChange:true splitStatements:false stripComments:false
-- To which of those who share a run a shard of it belongs; nobody when nobody does.
create or replace function ${schema}.shard_owner(p_members uuid[], p_run bigint, p_shard int)
returns uuid
language sql
immutable
parallel safe
as $$
    select p_members[1 + ((p_shard + p_run) % cardinality(p_members))::int]
$$;
