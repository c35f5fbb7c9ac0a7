--liquibase formatted sql
--changeset whizbang:write_claim runOnChange:true splitStatements:false stripComments:false
create or replace function ${schema}.write_claim(
    p_queue      smallint,
    p_instance   uuid,
    p_request    jsonb,
    p_members    int,
    p_rank       int,
    p_seqs       bigint[],
    p_partitions int[],
    p_has_heads  boolean,
    p_now        timestamptz
)
returns jsonb
language plpgsql
as $$
declare
    v_claim  bigint := nextval('${schema}.wh_claim_seq');
    v_token  uuid := gen_random_uuid();
    v_expiry timestamptz := p_now + make_interval(secs => (p_request ->> 'lease_ms')::double precision / 1000);
begin
    insert into ${schema}.wh_claims
        (claim_id, queue, instance_id, token, claimed_at, lease_expiry, members, rank, suspects, has_heads, max_seq, seqs, partitions)
    values (v_claim, p_queue, p_instance, v_token, p_now, v_expiry, p_members, p_rank, (p_request ->> 'suspects')::int, p_has_heads,
        case when p_has_heads then (select max(s) from unnest(p_seqs) s) else p_seqs[cardinality(p_seqs)] end, p_seqs, array(select distinct unnest(p_partitions)));
    return jsonb_build_object('claim', v_claim, 'token', v_token, 'lease_expiry', v_expiry);
end
$$;
