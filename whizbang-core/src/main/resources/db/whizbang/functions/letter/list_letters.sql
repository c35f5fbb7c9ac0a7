--liquibase formatted sql
--changeset whizbang:list_letters runOnChange:true splitStatements:false stripComments:false
-- Letters below a number, newest first, without what may be large.
create or replace function ${schema}.list_letters(p_queues smallint[], p_filter jsonb, p_before bigint, p_limit int)
returns table (dead_letter_id bigint, queue smallint, source text, reason text, attempts int, error text, died_at timestamptz,
    replays int, message_id uuid, topic text, message_type text, stream_id uuid, stream_key text)
language plpgsql
stable
-- What is not filtered by must not be in the plan.
set plan_cache_mode = force_custom_plan
as $$
begin
    return query
    select d.dead_letter_id, d.queue, d.source, d.reason, d.attempts, left(split_part(d.error, E'\n', 1), 1000), d.died_at,
        (select count(*)::int
         from (select from ${schema}.wh_dead_letter_audit a
               where a.message_id = d.message_id and a.queue = d.queue and a.action = 'replayed' limit 1000) r),
        d.message_id, d.topic, d.message_type, d.stream_id, d.stream_key
    from ${schema}.wh_dead_letters d
    where d.queue = any (p_queues)
      and (p_before is null or d.dead_letter_id < p_before)
      and ${schema}.letter_matches(d, p_filter)
    order by d.dead_letter_id desc
    limit p_limit;
end
$$;
