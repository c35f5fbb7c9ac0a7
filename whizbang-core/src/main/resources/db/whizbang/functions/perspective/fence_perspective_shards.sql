--liquibase formatted sql
--changeset whizbang:fence_perspective_shards runOnChange:true splitStatements:false stripComments:false
-- Locks shards that the caller works on until its transaction ends, and counts those that are still its own and where it left them.
create or replace function ${schema}.fence_perspective_shards(
    p_run      bigint,
    p_instance uuid,
    p_shards   int[],
    p_tokens   bigint[],
    p_moves    bigint[]
)
returns int
language sql
as $$
    with held as materialized (
        select s.shard, s.token, s.moves
        from ${schema}.wh_perspective_shards s
        where s.run_id = p_run and s.shard = any (p_shards) and s.holder = p_instance
        order by s.shard
        for no key update
    )
    select count(*)::int
    from held h join unnest(p_shards, p_tokens, p_moves) n(shard, token, moves)
         on n.shard = h.shard and n.token = h.token and n.moves = h.moves
$$;
