--liquibase formatted sql
--changeset whizbang:forget_receptors runOnChange:true splitStatements:false stripComments:false
-- Forgets which receptors were done with messages that will not be tried again.
create or replace function ${schema}.forget_receptors(p_sources text[], p_ids uuid[])
returns void
language sql
as $$
    delete from ${schema}.wh_receptor_processing r
    using unnest(p_sources, p_ids) u(source, message_id)
    where r.source = u.source and r.message_id = u.message_id
$$;
