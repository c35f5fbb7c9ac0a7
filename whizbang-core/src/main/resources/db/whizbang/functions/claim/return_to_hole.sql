--liquibase formatted sql
--changeset whizbang:return_to_hole runOnChange:true splitStatements:false stripComments:false
create or replace function ${schema}.return_to_hole(p_memory jsonb)
returns jsonb
language sql
volatile
as $$
    select p_memory || jsonb_build_object(
        'ahead', least((p_memory ->> 'ahead')::bigint, (p_memory ->> 'first_hole')::bigint - 1),
        'first_hole', null,
        'holes', '{}',
        'lap_at', clock_timestamp())
$$;
