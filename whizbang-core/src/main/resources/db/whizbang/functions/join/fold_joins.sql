--liquibase formatted sql
--changeset whizbang:fold_joins runOnChange:true splitStatements:false stripComments:false
-- Counts what was reported, and closes the joins that have all they wait for, or whose deadline has come; the caller enqueues what follows in the same
-- transaction. Any number may do so at once: what one has locked the others leave alone.
drop function if exists ${schema}.fold_joins(bigint, timestamptz, uuid[], int, timestamptz);
create or replace function ${schema}.fold_joins(
    p_from     bigint,        -- reports up to this one were counted
    p_due_from timestamptz,   -- deadlines up to this one were looked at
    p_except   uuid[],        -- joins to leave alone
    p_limit    int,
    p_now      timestamptz default null,
    p_ahead_ms bigint default 30000   -- when the caller looks again anyway: later deadlines are of no interest to it yet
)
returns jsonb
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    c_late constant bigint := 2000;
    c_due  constant int := 100;
    v_now    timestamptz := coalesce(p_now, clock_timestamp());
    v_due    uuid[];
    v_taken  record;
    v_closed jsonb;
    v_open   timestamptz;
begin
    perform ${schema}.require_read_committed();

    -- 1. Deadlines. Before one closes a join, everything that was reported in time is to be counted: also what was committed late.
    v_due := array(
        select j.join_id from ${schema}.wh_joins j
        where j.status = 0 and j.deadline > coalesce(p_due_from, '-infinity') and j.deadline <= v_now and j.join_id <> all (p_except)
        order by j.deadline
        limit c_due);

    -- 2. Reports: taken, counted, gone.
    v_taken := ${schema}.take_reports(p_from, v_due, p_except, p_limit);
    if v_taken.reports <> '{}' then
        perform ${schema}.count_reports(v_taken.reports, v_taken.joins);
        delete from ${schema}.wh_join_reports r where r.report_id = any (v_taken.reports);
    end if;

    -- 3. What is complete. A deadline waits until nothing is left to be counted.
    with closed as (
        update ${schema}.wh_joins j
        set closed_at = v_now,
            status = case when j.failed > 0 and (j.fail_fast or j.done + j.failed = j.expected) then 2
                          when j.done + j.failed = j.expected then 1
                          else 3 end
        where j.join_id = any (v_taken.joins) and j.status = 0
          and (j.done + j.failed = j.expected or j.fail_fast and j.failed > 0 or not v_taken.more and j.deadline <= v_now)
        returning j.*
    )
    select jsonb_agg(jsonb_build_object('id', c.join_id, 'key', c.join_key, 'status', c.status, 'expected', coalesce(c.expected, c.attached),
               'done', c.done, 'failed', c.failed, 'metadata', c.metadata, 'headers', c.headers,
               'topic', case c.status when 1 then c.done_topic when 2 then c.failed_topic else c.deadline_topic end)
           order by c.join_id)
    into v_closed
    from closed c;

    -- 4. Where to go on: a little earlier, for reports that commit late, and not behind deadlines that have closed nothing yet.
    v_open := (select min(j.deadline) from ${schema}.wh_joins j
               where j.join_id = any (v_due) and (j.status = 0 or j.join_id = v_due[c_due]));
    return jsonb_build_object('counted', cardinality(v_taken.reports), 'more', v_taken.more or cardinality(v_due) = c_due,
        'held_back', v_taken.held_back, 'closed', coalesce(v_closed, '[]'), 'from', greatest(0, p_from, v_taken.low - c_late),
        'due_from', least(v_now - interval '10 seconds', v_open - interval '1 millisecond'),
        'next_ms', (select ceil(1000 * extract(epoch from j.deadline - v_now))::bigint
                    from ${schema}.wh_joins j
                    where j.status = 0 and j.deadline > v_now and j.deadline <= v_now + p_ahead_ms * interval '1 millisecond'
                    order by j.deadline
                    limit 1));
end
$$;
