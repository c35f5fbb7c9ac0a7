--liquibase formatted sql
--changeset whizbang:recall runOnChange:true splitStatements:false stripComments:false
-- What a caller remembers is good for one epoch: the share it belongs to changes with the members.
--   ahead       where the next scan for ready messages starts
--   first_hole  the first own message that was passed over because its partition was claimed; scans return there
--   holes       partitions passed over since; while a scan goes on, nothing of them may be taken, or it would overtake
--   lap_at      when the scan set out
--   yield       which part of the messages visited could be taken
--   safe        the safe mark, read at safe_at
--   claim_low   no relevant claim has a lower number
--   due_from    no head is due earlier; due_at, due_seq: where the next look for due heads goes on; due_first: the first it met
--   scheduled_from  no delayed message is due earlier
--   incarnation     which life of the database it is of
create or replace function ${schema}.recall(p_memory jsonb, p_epoch int, p_low bigint, p_claim_low bigint)
returns jsonb
language plpgsql
as $$
begin
    if p_memory is null or (p_memory ->> 'epoch')::int <> p_epoch then
        return jsonb_build_object('epoch', p_epoch, 'ahead', p_low, 'claim_low', p_claim_low, 'holes', '{}',
            'lap_at', clock_timestamp())
            || case when p_memory ? 'checked_at' then jsonb_build_object('checked_at', p_memory -> 'checked_at') else '{}' end;
    end if;
    -- Back to what was passed over, but only now and then: each way back leads past all that is in work.
    if p_memory ->> 'first_hole' is not null
        and (p_memory ->> 'lap_at')::timestamptz < clock_timestamp() - interval '100 milliseconds' then
        return ${schema}.return_to_hole(p_memory);
    end if;
    return p_memory;
end
$$;
