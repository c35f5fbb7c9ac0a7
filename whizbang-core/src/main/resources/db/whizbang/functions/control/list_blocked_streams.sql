--liquibase formatted sql
--changeset whizbang:list_blocked_streams runOnChange:true splitStatements:false stripComments:false
-- Heads that wait, in the order in which they are due, with who holds them and how many wait behind them, counted up to p_behind.
create or replace function ${schema}.list_blocked_streams(
    p_queue     smallint,
    p_after_due timestamptz,
    p_after_seq bigint,
    p_limit     int,
    p_behind    int
)
returns table (seq bigint, stream_id uuid, stream_key text, message_id uuid, topic text, message_type text, attempts int, error text,
    created_at timestamptz, due_at timestamptz, is_due boolean, behind int, instance_id uuid, host_name text, process_id bigint,
    lease_expiry timestamptz)
language plpgsql
stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
#variable_conflict use_column
begin
    return query
        with heads as materialized (
            select h.* from ${schema}.wh_messages h
            where h.queue = p_queue and h.status = 1 and h.scheduled_for is not null
              and (h.scheduled_for, h.seq) > (p_after_due, p_after_seq)
            order by h.scheduled_for, h.seq
            limit p_limit),
        held as materialized (
            select s as seq, c.instance_id, c.lease_expiry
            from ${schema}.wh_claims c cross join lateral unnest(c.seqs) s
            where c.claim_id >= (select e.claim_low from ${schema}.wh_epoch e where e.queue = p_queue) and c.queue = p_queue and c.has_heads)
        select h.seq, h.stream_id, h.stream_key, h.message_id, h.topic, h.message_type, h.attempts::int, left(h.error, 2000), h.created_at,
            h.scheduled_for, h.scheduled_for <= clock_timestamp(),
            case when h.stream_id is null then 0 else
                (select count(*)::int
                 from (select from ${schema}.wh_messages p
                       where p.queue = p_queue and p.status = 2 and p.stream_id = h.stream_id
                       limit p_behind) b) end,
            c.instance_id, i.host_name, i.process_id, c.lease_expiry
        from heads h
             left join held c on c.seq = h.seq
             left join ${schema}.wh_service_instances i on i.instance_id = c.instance_id
        order by h.scheduled_for, h.seq;
end
$$;
