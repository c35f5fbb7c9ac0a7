--liquibase formatted sql
--changeset whizbang:fetch_claim runOnChange:true splitStatements:false stripComments:false
-- The messages of a claim, in queue order.
create or replace function ${schema}.fetch_claim(p_claim bigint, p_token uuid)
returns table (
    seq bigint, message_id uuid, stream_id uuid, stream_key text, attempts int, error text, topic text, message_type text,
    headers text, payload text, created_at timestamptz
)
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
    v_queue smallint;
    v_seqs  bigint[];
begin
    select c.queue, c.seqs into v_queue, v_seqs from ${schema}.wh_claims c where c.claim_id = p_claim and c.token = p_token;
    return query select * from ${schema}.fetch_messages(v_queue, v_seqs);
end
$$;
