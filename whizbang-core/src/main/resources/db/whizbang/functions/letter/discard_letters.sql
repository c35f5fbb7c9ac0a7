--liquibase formatted sql
--changeset whizbang:discard_letters runOnChange:true splitStatements:false stripComments:false
-- Removes letters for good, and what was remembered for the case that they are tried again. Returns those that were there.
create or replace function ${schema}.discard_letters(p_ids bigint[], p_by text, p_note text, p_now timestamptz default null)
returns bigint[]
language plpgsql
as $$
declare
    v_taken    bigint[];
    v_sources  text[];
    v_messages uuid[];
begin
    select array_agg(t.dead_letter_id),
        array_agg(t.source) filter (where t.headers ? 'whizbang-handled-in-part'),
        array_agg(t.message_id) filter (where t.headers ? 'whizbang-handled-in-part')
    into v_taken, v_sources, v_messages
    from ${schema}.take_letters(p_ids, 'discarded', p_by, p_note, coalesce(p_now, clock_timestamp())) t;
    if v_messages is not null then
        perform ${schema}.forget_receptors(v_sources, v_messages);
    end if;
    return coalesce(v_taken, '{}');
end
$$;
