--liquibase formatted sql
--changeset whizbang:add_queue_messages runOnChange:true splitStatements:false stripComments:false
-- Adds messages to their keys, and to the line the keys that are not known. The caller has locked the keys (lock_streams) and announced
-- itself: so no number of a key is drawn before a lower one is committed, and nobody removes a key that is seen here.
create or replace function ${schema}.add_queue_messages(
    p_ids              uuid[],
    p_key_ids          uuid[],
    p_keys             text[],
    p_partition_hashes int[],
    p_queues           text[],
    p_types            text[],
    p_headers          jsonb[],
    p_payloads         text[],
    p_now              timestamptz
)
returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    -- Under an older snapshot, a key that was removed since may still be seen, and one that was added or changed may not: then its row decides.
    v_old_snapshot boolean := current_setting('transaction_isolation') not in ('read committed', 'read uncommitted');
    v_key          record;
begin
    for v_key in
    with drawn as materialized (
        select n.*, nextval('${schema}.wh_message_seq') as seq
        from unnest(p_ids, p_key_ids, p_keys, p_partition_hashes, p_queues, p_types, p_headers, p_payloads)
            with ordinality n(id, stream_id, routing_key, hash, queue, type, headers, payload, place)
    ), numbered as materialized (
        select d.*, coalesce(
            encode(substring(sha256(convert_to(d.queue || '/' || d.stream_id, 'UTF8')) for 16), 'hex')::uuid,
            ('ffffffff-ffff-8fff-bfff-' || lpad(to_hex(d.seq & 281474976710655), 12, '0'))::uuid) as key_id
        from drawn d
    ), stored as (
        insert into ${schema}.wh_queue_messages
            (queue, key_id, seq, size, created_at, message_id, message_type, headers, payload)
        select n.queue, n.key_id, n.seq, octet_length(n.payload), p_now, n.id, n.type, n.headers, n.payload
        from numbered n
    ), keys as materialized (
        select distinct on (n.key_id) n.queue, n.key_id, n.hash, n.seq as place, n.seq - 1 as low, n.stream_id,
            case when n.stream_id is not null then coalesce(n.routing_key, n.stream_id::text) end as routing_key
        from numbered n
        where v_old_snapshot
           -- Not as "not exists": a plan that was made when there were no keys would read them all.
           or (select k.key_id from ${schema}.wh_queue_keys k where k.key_id = n.key_id) is null
        order by n.key_id, n.seq
    ), added as (
        insert into ${schema}.wh_queue_keys (queue, key_id, partition_hash, place, low, due_at, stream_id, routing_key)
        select k.queue, k.key_id, k.hash, k.place, k.low, p_now, k.stream_id, k.routing_key from keys k where not v_old_snapshot
        on conflict (key_id) do nothing
    )
    select k.* from keys k where v_old_snapshot order by k.key_id
    loop
        -- Not "on conflict": a key that was changed since the snapshot would fail the transaction. Nobody adds or removes one beside us.
        begin
            insert into ${schema}.wh_queue_keys (queue, key_id, partition_hash, place, low, due_at, stream_id, routing_key)
            values (v_key.queue, v_key.key_id, v_key.hash, v_key.place, v_key.low, p_now, v_key.stream_id, v_key.routing_key);
        exception when unique_violation then
            null;
        end;
    end loop;
end
$$;
