--liquibase formatted sql
--changeset whizbang:promote_heads runOnChange:true splitStatements:false stripComments:false
-- Keeps the rule that the lowest waiting message of a stream is its head, and all later ones are parked.
create or replace function ${schema}.promote_heads(p_queue smallint, p_streams uuid[], p_now timestamptz)
returns void
language plpgsql
as $$
begin
    if coalesce(p_streams, '{}') = '{}' then
        return;
    end if;
    update ${schema}.wh_messages m
    set status = 2
    where m.queue = p_queue and m.status = 1 and m.stream_id = any (p_streams)
      and exists (
          select from ${schema}.wh_messages e
          where e.queue = p_queue and e.status = 2 and e.stream_id = m.stream_id and e.seq < m.seq);

    update ${schema}.wh_messages m
    set status = 1, scheduled_for = greatest(m.scheduled_for, p_now)
    where m.queue = p_queue
      and m.seq = any (array(
          select f.seq
          from (select distinct u.stream_id from unnest(p_streams) u(stream_id)) s
               cross join lateral (
                   select e.seq from ${schema}.wh_messages e
                   where e.queue = p_queue and e.status = 2 and e.stream_id = s.stream_id
                   order by e.seq
                   limit 1) f
          where not exists (
              select from ${schema}.wh_messages h
              where h.queue = p_queue and h.status = 1 and h.stream_id = s.stream_id)));
end
$$;
