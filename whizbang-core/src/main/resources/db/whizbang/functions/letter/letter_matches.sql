--liquibase formatted sql
--changeset whizbang:letter_matches runOnChange:true splitStatements:false stripComments:false
-- One expression, so that the planner puts it into the query that asks and finds the indexes.
create or replace function ${schema}.letter_matches(p_letter ${schema}.wh_dead_letters, p_filter jsonb)
returns boolean
language sql
stable
as $$
    select (p_filter ->> 'source' is null or p_letter.source = p_filter ->> 'source')
       and (p_filter ->> 'reason' is null or p_letter.reason = p_filter ->> 'reason')
       and (p_filter ->> 'topic' is null or p_letter.topic = p_filter ->> 'topic')
       and (p_filter ->> 'type' is null or p_letter.message_type = p_filter ->> 'type')
       and (p_filter ->> 'stream_id' is null or p_letter.stream_id = (p_filter ->> 'stream_id')::uuid)
       and (p_filter ->> 'message_id' is null or p_letter.message_id = (p_filter ->> 'message_id')::uuid)
       and (p_filter ->> 'from' is null or p_letter.died_at >= (p_filter ->> 'from')::timestamptz)
       and (p_filter ->> 'until' is null or p_letter.died_at < (p_filter ->> 'until')::timestamptz)
       and (p_filter ->> 'older_ms' is null
            or p_letter.died_at < now() - (p_filter ->> 'older_ms')::bigint * interval '1 millisecond')
$$;
