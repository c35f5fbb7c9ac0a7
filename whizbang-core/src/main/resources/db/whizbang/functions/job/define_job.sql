--liquibase formatted sql
--changeset whizbang:define_job runOnChange:true splitStatements:false stripComments:false
-- Creates a job or changes it. The next time is left alone unless the cadence has changed: defining the same again and again, as every start
-- of an application does, must neither put a run off nor wait for a transaction that holds the job. Returns created, changed or unchanged.
create or replace function ${schema}.define_job(p_definition jsonb, p_next timestamptz, p_now timestamptz default null)
returns text
language plpgsql
as $$
declare
    v_now timestamptz := coalesce(p_now, clock_timestamp());
    v_new ${schema}.wh_jobs := jsonb_populate_record(null::${schema}.wh_jobs, p_definition);
    v_old ${schema}.wh_jobs;
    v_lock boolean;
begin
    -- First with a look that locks nothing.
    foreach v_lock in array array[false, true] loop
        if v_lock then
            insert into ${schema}.wh_jobs (name, handler, topic, cron, every_ms, zone, payload, payload_type, enabled, misfire, catch_up_max,
                overlap, max_attempts, first_delay_ms, multiplier, max_delay_ms, jitter, next_fire_at, defined_by, created_at, updated_at)
            values (v_new.name, v_new.handler, v_new.topic, v_new.cron, v_new.every_ms, v_new.zone, v_new.payload, v_new.payload_type,
                v_new.enabled, v_new.misfire, v_new.catch_up_max, v_new.overlap, v_new.max_attempts, v_new.first_delay_ms, v_new.multiplier,
                v_new.max_delay_ms, v_new.jitter, case when v_new.enabled then p_next end, v_new.defined_by, v_now, v_now)
            on conflict (name) do nothing;
            if found then
                return 'created';
            end if;
            select j.* into v_old from ${schema}.wh_jobs j where j.name = v_new.name for no key update;
        else
            select j.* into v_old from ${schema}.wh_jobs j where j.name = v_new.name;
        end if;
        if v_old.name = v_new.name and v_old.problem is null
            and (v_old.handler, v_old.topic, v_old.cron, v_old.every_ms, v_old.zone, v_old.payload, v_old.payload_type, v_old.enabled,
                 v_old.misfire, v_old.catch_up_max, v_old.overlap, v_old.max_attempts, v_old.first_delay_ms, v_old.multiplier,
                 v_old.max_delay_ms, v_old.jitter)
            is not distinct from
                (v_new.handler, v_new.topic, v_new.cron, v_new.every_ms, v_new.zone, v_new.payload, v_new.payload_type, v_new.enabled,
                 v_new.misfire, v_new.catch_up_max, v_new.overlap, v_new.max_attempts, v_new.first_delay_ms, v_new.multiplier,
                 v_new.max_delay_ms, v_new.jitter) then
            return 'unchanged';
        end if;
    end loop;
    update ${schema}.wh_jobs j
    set handler = v_new.handler, topic = v_new.topic, cron = v_new.cron, every_ms = v_new.every_ms, zone = v_new.zone,
        payload = v_new.payload, payload_type = v_new.payload_type, enabled = v_new.enabled, misfire = v_new.misfire,
        catch_up_max = v_new.catch_up_max, overlap = v_new.overlap, max_attempts = v_new.max_attempts,
        first_delay_ms = v_new.first_delay_ms, multiplier = v_new.multiplier, max_delay_ms = v_new.max_delay_ms,
        jitter = v_new.jitter, version = j.version + 1, problem = null, defined_by = v_new.defined_by, updated_at = v_now,
        next_fire_at = case
            when not v_new.enabled or j.paused then null
            when j.problem is null and j.enabled
                and (j.cron, j.every_ms, j.zone) is not distinct from (v_new.cron, v_new.every_ms, v_new.zone) then j.next_fire_at
            else p_next end
    where j.name = v_new.name;
    return 'changed';
end
$$;
