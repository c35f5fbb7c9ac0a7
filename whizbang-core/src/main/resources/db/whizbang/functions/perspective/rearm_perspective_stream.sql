--liquibase formatted sql
--changeset whizbang:rearm_perspective_stream runOnChange:true splitStatements:false stripComments:false
-- Lets a stream that has stopped be tried again at once, with no attempts counted, in a run or in all that there are of a perspective.
-- Returns how many were there.
create or replace function ${schema}.rearm_perspective_stream(p_name text, p_run bigint, p_stream_id uuid)
returns int
language sql
as $$
    with armed as (
        update ${schema}.wh_perspective_checkpoints c
        set status = 1, attempts = 0, next_attempt_at = clock_timestamp(), updated_at = clock_timestamp()
        where c.stream_id = p_stream_id and c.status <> 0
          and c.run_id = any (array(select p.run_id from ${schema}.wh_perspectives p
                                    where p.name = p_name and p.status < 2 and (p_run is null or p.run_id = p_run)))
        returning 1
    )
    select count(*)::int from armed
$$;
