--liquibase formatted sql
--changeset whizbang:start_join runOnChange:true splitStatements:false stripComments:false
-- Starts a join, or finds the one that has its key already, open or closed. Either is the caller's until its transaction ends.
create or replace function ${schema}.start_join(
    p_id             uuid,
    p_key            text,
    p_expected       int,
    p_fail_fast      boolean,
    p_deadline_ms    bigint,
    p_done_topic     text,
    p_failed_topic   text,
    p_deadline_topic text,
    p_headers        jsonb,
    p_metadata       jsonb,
    p_now            timestamptz default null
)
returns uuid
language plpgsql
as $$
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
    v_id  uuid;
begin
    insert into ${schema}.wh_joins
        (join_id, join_key, expected, fail_fast, deadline, done_topic, failed_topic, deadline_topic, headers, metadata, started_at)
    values (p_id, p_key, p_expected, p_fail_fast, v_now + p_deadline_ms * interval '1 millisecond', p_done_topic, p_failed_topic,
        p_deadline_topic, p_headers, p_metadata, v_now)
    on conflict (join_key) where join_key is not null do nothing
    returning join_id into v_id;
    if v_id is null then
        -- In a statement of its own: the other one may have been committed a moment ago.
        select j.join_id into v_id from ${schema}.wh_joins j where j.join_key = p_key for no key update;
    elsif p_expected = 0 then
        -- Nothing will be reported, but something follows.
        insert into ${schema}.wh_join_reports (join_id, failed, reported_at) values (v_id, false, v_now);
    end if;
    return v_id;
end
$$;
