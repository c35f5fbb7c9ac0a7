--liquibase formatted sql
--changeset whizbang:perspective_failures runOnChange:true splitStatements:false stripComments:false
-- Streams that have stopped, in the order of their identities, behind one of them.
create or replace function ${schema}.perspective_failures(p_name text, p_after uuid, p_limit int)
returns table (run_id bigint, version int, run int, stream_id uuid, stream_key text, stream_version bigint, status smallint,
    attempts int, next_attempt_at timestamptz, error text, failed_at timestamptz)
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
begin
    return query
        select p.run_id, p.version, p.run, c.stream_id,
            (select s.stream_key from ${schema}.wh_streams s where s.stream_id = c.stream_id), c.version, c.status, c.attempts, c.next_attempt_at, c.error,
            c.failed_at
        from ${schema}.wh_perspectives p
             join ${schema}.wh_perspective_checkpoints c on c.run_id = p.run_id and c.status <> 0
        where p.name = p_name and p.status < 2 and (p_after is null or c.stream_id > p_after)
        order by c.stream_id, p.run_id
        limit p_limit;
end
$$;
