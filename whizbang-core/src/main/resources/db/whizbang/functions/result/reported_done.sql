--liquibase formatted sql
--changeset whizbang:reported_done runOnChange:true splitStatements:false stripComments:false
-- The single completions of a report, as far as they belong to the claims they name.
create or replace function ${schema}.reported_done(p_claims jsonb, p_held bigint[])
returns bigint[]
language sql
as $$
    select coalesce(array_agg(d.seq), '{}')
    from jsonb_array_elements(p_claims) n
         join ${schema}.wh_claims c on c.claim_id = (n ->> 'id')::bigint
         cross join lateral (
             select s::bigint as seq from jsonb_array_elements_text(n -> 'done') s
             intersect
             select unnest(c.seqs)) d
    where c.claim_id = any (p_held) and n ? 'done'
$$;
