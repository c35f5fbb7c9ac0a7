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
language sql
as $$
    insert into ${schema}.wh_claims
        (claim_id, queue, instance_id, token, claimed_at, lease_expiry, members, rank, suspects, has_heads, max_seq, seqs, partitions)
    values (nextval('${schema}.wh_claim_seq'), p_queue, p_instance, gen_random_uuid(), p_now,
        p_now + make_interval(secs => (p_request ->> 'lease_ms')::double precision / 1000), p_members, p_rank,
        (p_request ->> 'suspects')::int, p_has_heads, (select max(s) from unnest(p_seqs) s), p_seqs,
        array(select distinct p from unnest(p_partitions) p))
    returning jsonb_build_object('claim', claim_id, 'token', token, 'lease_expiry', lease_expiry)
$$;
