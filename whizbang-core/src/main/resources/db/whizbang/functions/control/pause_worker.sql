--liquibase formatted sql
--changeset whizbang:pause_worker runOnChange:true splitStatements:false stripComments:false
-- Notes that a worker is to pause on all instances. False when it was paused before: who paused it first stays noted.
create or replace function ${schema}.pause_worker(p_worker text, p_by text, p_note text)
returns boolean
language plpgsql
as $$
begin
    insert into ${schema}.wh_paused_workers (worker, paused_at, paused_by, note)
    values (p_worker, clock_timestamp(), p_by, p_note)
    on conflict (worker) do nothing;
    return found;
end
$$;
