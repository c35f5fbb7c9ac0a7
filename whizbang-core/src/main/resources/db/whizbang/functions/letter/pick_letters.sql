--liquibase formatted sql
--changeset whizbang:pick_letters runOnChange:true splitStatements:false stripComments:false
-- The next letters to decide about, oldest first: at most p_limit, and no more than p_bytes of them unless one alone is larger.
-- Tells what a message is spread by, and nothing for what never was a message.
create or replace function ${schema}.pick_letters(
    p_queues smallint[],
    p_ids    bigint[],
    p_filter jsonb,
    p_after  bigint,
    p_upto   bigint,
    p_limit  int,
    p_bytes  bigint
)
returns table (dead_letter_id bigint, queue smallint, spread_by uuid)
language plpgsql
stable
set plan_cache_mode = force_custom_plan
as $$
begin
    return query
    select s.dead_letter_id, s.queue, s.spread_by
    from (select n.dead_letter_id, n.queue, n.spread_by, n.size, sum(n.size) over (order by n.dead_letter_id) as total
          from (select d.dead_letter_id, d.queue, coalesce(d.stream_id, d.message_id) as spread_by,
                    coalesce(octet_length(d.payload), octet_length(d.raw)) as size
                from ${schema}.wh_dead_letters d
                where d.queue = any (p_queues)
                  and (p_ids is null or d.dead_letter_id = any (p_ids))
                  and d.dead_letter_id > p_after
                  and (p_upto is null or d.dead_letter_id <= p_upto)
                  and ${schema}.letter_matches(d, p_filter)
                order by d.dead_letter_id
                limit p_limit) n) s
    where s.total <= p_bytes or s.total = s.size
    order by s.dead_letter_id;
end
$$;
