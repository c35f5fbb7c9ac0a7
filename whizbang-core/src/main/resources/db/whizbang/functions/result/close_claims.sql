--liquibase formatted sql
--changeset whizbang:close_claims runOnChange:true splitStatements:false stripComments:false
-- Takes finished claims away and returns what was left in them; takes single results out of the others.
create or replace function ${schema}.close_claims(
    p_queue    smallint,
    p_finished bigint[],
    p_held     bigint[],
    p_done     bigint[],
    p_failed   bigint[],
    out rest      bigint[],
    out has_heads boolean
)
language plpgsql
as $$
declare
    c_settled constant bigint[] := p_done || p_failed;
    v_seqs    bigint[];
begin
    select coalesce(bool_or(c.has_heads), false) into has_heads from ${schema}.wh_claims c where c.claim_id = any (p_held);
    rest := '{}';
    -- One by one: they are few, and joining their lists costs less than gathering them anew.
    for v_seqs in delete from ${schema}.wh_claims c where c.claim_id = any (p_finished) returning c.seqs loop
        rest := rest || v_seqs;
    end loop;

    if c_settled <> '{}' then
        rest := array(select unnest(rest) except select unnest(c_settled));
        perform ${schema}.shrink_claims(p_queue, p_held, c_settled);
    end if;
end
$$;
