--liquibase formatted sql
--changeset whizbang:fetch_letter runOnChange:true splitStatements:false stripComments:false
create or replace function ${schema}.fetch_letter(p_id bigint)
returns setof ${schema}.wh_dead_letters
language sql
stable
as $$
    select d.* from ${schema}.wh_dead_letters d where d.dead_letter_id = p_id
$$;
