--liquibase formatted sql
--changeset whizbang:recorded_receptors runOnChange:true splitStatements:false stripComments:false
-- The receptors that are done with a message.
create or replace function ${schema}.recorded_receptors(p_source text, p_id uuid)
returns table (receptor text, status smallint)
language sql
stable
as $$
    select r.receptor, r.status
    from ${schema}.wh_receptor_processing r
    where r.source = p_source and r.message_id = p_id
$$;
