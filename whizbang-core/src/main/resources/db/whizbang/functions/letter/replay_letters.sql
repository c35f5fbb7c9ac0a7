--liquibase formatted sql
--changeset whizbang:replay_letters runOnChange:true splitStatements:false stripComments:false
-- Puts the messages of letters to the ends of their streams, oldest letter first, as new messages with their old identity. A letter of a
-- perspective is no message: its stream is tried again where it stands.
-- Returns the letters that were there.
create or replace function ${schema}.replay_letters(
    p_ids              bigint[],
    p_partition_hashes int[],
    p_by               text,
    p_note             text,
    p_now              timestamptz default null
)
returns bigint[]
language plpgsql
as $$
declare
    v_now   timestamptz := coalesce(p_now, clock_timestamp());
    v_taken ${schema}.wh_dead_letters[];
begin
    v_taken := array(select t from ${schema}.take_letters(p_ids, 'replayed', p_by, p_note, v_now) t);
    -- One call for each queue, each with what it stores by.
    perform case when s.queue = 5
        then ${schema}.store_queue_messages(s.queue, s.ids, s.stream_ids, s.stream_keys, s.hashes, s.topics, s.types, s.headers,
            s.payloads, s.no_delays, s.no_times, true, p_now)
        else ${schema}.store_messages(s.queue, s.ids, s.stream_ids, s.stream_keys, s.hashes, s.topics, s.types, s.headers,
            s.payloads, s.no_delays, s.no_times, true, p_now) end
    from (select t.queue,
              array_agg(t.message_id order by t.dead_letter_id) as ids,
              array_agg(t.stream_id order by t.dead_letter_id) as stream_ids,
              array_agg(t.stream_key order by t.dead_letter_id) as stream_keys,
              array_agg(h.hash order by t.dead_letter_id) as hashes,
              array_agg(t.topic order by t.dead_letter_id) as topics,
              array_agg(t.message_type order by t.dead_letter_id) as types,
              array_agg(t.headers order by t.dead_letter_id) as headers,
              array_agg(t.payload order by t.dead_letter_id) as payloads,
              array_agg(null::bigint) as no_delays,
              array_agg(null::timestamptz) as no_times
          from unnest(v_taken) t join unnest(p_ids, p_partition_hashes) h(id, hash) on h.id = t.dead_letter_id
          where t.queue <> 3
          group by t.queue
          order by t.queue) s;
    perform ${schema}.rearm_perspective_stream(t.topic, (t.headers ->> 'whizbang-perspective-run')::bigint, t.stream_id)
    from unnest(v_taken) t
    where t.queue = 3;
    return array(select t.dead_letter_id from unnest(v_taken) t);
end
$$;
