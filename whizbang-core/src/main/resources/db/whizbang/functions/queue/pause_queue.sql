--liquibase formatted sql
--changeset whizbang:pause_queue runOnChange:true splitStatements:false stripComments:false
-- Has nothing of a queue handed out until it is resumed. False when it was paused already.
create or replace function ${schema}.pause_queue(p_queue text, p_by text, p_now timestamptz default null)
returns boolean
language plpgsql
as $$
begin
    insert into ${schema}.wh_paused_queues (name, paused_at, paused_by)
    values (p_queue, coalesce(p_now, clock_timestamp()), p_by)
    on conflict (name) do nothing;
    return found;
end
$$;
