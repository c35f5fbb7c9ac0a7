--liquibase formatted sql
--changeset whizbang:queue_names runOnChange:true splitStatements:false stripComments:false
-- Queues that have messages or are paused, from p_after on. Goes from name to name, never from key to key.
create or replace function ${schema}.queue_names(p_after text, p_limit int)
returns table (name text)
language sql
stable
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
    with recursive names(name) as (
        select least(
            (select k.queue from ${schema}.wh_queue_keys k where k.state = 0 and k.queue > coalesce(p_after, '') order by k.queue limit 1),
            (select k.queue from ${schema}.wh_queue_keys k where k.state <> 0 and k.queue > coalesce(p_after, '') order by k.queue limit 1))
        union all
        select least(
            (select k.queue from ${schema}.wh_queue_keys k where k.state = 0 and k.queue > n.name order by k.queue limit 1),
            (select k.queue from ${schema}.wh_queue_keys k where k.state <> 0 and k.queue > n.name order by k.queue limit 1))
        from names n where n.name is not null
    )
    select u.name
    from (select n.name from (select n.name from names n where n.name is not null limit p_limit) n
          union
          select q.name from ${schema}.wh_paused_queues q where p_after is null or q.name > p_after) u
    order by u.name
    limit p_limit
$$;
