--liquibase formatted sql
--changeset whizbang:discard_letters runOnChange:true splitStatements:false stripComments:false
-- Removes letters for good. Returns those that were there.
create or replace function ${schema}.discard_letters(p_ids bigint[], p_by text, p_note text, p_now timestamptz default null)
returns bigint[]
language sql
as $$
    select array(
        select t.dead_letter_id
        from ${schema}.take_letters(p_ids, 'discarded', p_by, p_note, coalesce(p_now, clock_timestamp())) t)
$$;
