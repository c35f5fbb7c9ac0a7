--liquibase formatted sql
--changeset whizbang:give_back_claims runOnChange:true splitStatements:false stripComments:false
-- Gives back the claims of an instance that are not in the list; no attempt counts. None of them has a number below p_low.
create or replace function ${schema}.give_back_claims(
    p_queue    smallint,
    p_instance uuid,
    p_low      bigint,
    p_keep     bigint[],
    p_now      timestamptz
)
returns void
language plpgsql
as $$
declare
    v_seqs bigint[];
begin
    with gone as (
        delete from ${schema}.wh_claims c
        where c.queue = p_queue
          and c.instance_id = p_instance
          and c.claim_id >= p_low
          and c.claim_id <> all (p_keep)
        returning c.seqs
    )
    select array_agg(s) into v_seqs from gone, unnest(gone.seqs) s;
    if v_seqs is not null then
        perform ${schema}.promote_heads(p_queue, ${schema}.park_messages(p_queue, v_seqs, p_now), p_now);
    end if;
end
$$;
