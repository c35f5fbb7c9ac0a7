--liquibase formatted sql
--changeset whizbang:fanout_slice_died runOnChange:true splitStatements:false stripComments:false
-- Whether a slice that was planned then is in the dead letters, or somebody has discarded it from there.
create or replace function ${schema}.fanout_slice_died(p_slice_id uuid, p_planned_at timestamptz)
returns boolean
language sql
stable
as $$
    select exists (select from ${schema}.wh_dead_letters l where l.message_id = p_slice_id and l.died_at >= p_planned_at)
        or (select a.action = 'discarded' from ${schema}.wh_dead_letter_audit a
            where a.message_id = p_slice_id and a.died_at >= p_planned_at
            order by a.audit_id desc
            limit 1)
$$;
