--liquibase formatted sql
--changeset whizbang:lock_due_job runOnChange:true splitStatements:false stripComments:false
-- Takes a job for the rest of the transaction, if its time is still the one that has come and nobody else has it; never waits.
create or replace function ${schema}.lock_due_job(p_name text, p_version bigint, p_fired timestamptz)
returns boolean
language plpgsql
as $$
begin
    -- Whoever adds a run holds a weaker lock, which this one lets be.
    perform from ${schema}.wh_jobs j
    where j.name = p_name and j.version = p_version and j.next_fire_at = p_fired
    for no key update skip locked;
    return found;
end
$$;
