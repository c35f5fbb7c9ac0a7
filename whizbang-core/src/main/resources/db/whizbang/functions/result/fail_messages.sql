--liquibase formatted sql
--changeset whizbang:fail_messages runOnChange:true splitStatements:false stripComments:false
-- Applies every outcome but success. A message that is tried again becomes the head of its stream; what follows it in the claim is
-- given back behind it. A dead one leaves the queue and holds up nobody.
create or replace function ${schema}.fail_messages(
    p_queue    smallint,
    p_instance uuid,
    p_held     bigint[],
    p_outcomes jsonb,
    p_now      timestamptz,
    out reported bigint[],
    out released bigint[],
    out streams  uuid[]
)
language plpgsql
as $$
declare
    v_outcomes jsonb;
    v_dead     uuid[];
begin
    reported := '{}';
    released := '{}';
    streams := '{}';
    if coalesce(p_outcomes, '[]') = '[]' then
        return;
    end if;
    -- Only what belongs to the claim it names: a message may have come back in another claim since.
    select jsonb_agg(o), array_agg((o ->> 'seq')::bigint) into v_outcomes, reported
    from jsonb_array_elements(p_outcomes) o
         join ${schema}.wh_claims c on c.claim_id = (o ->> 'claim')::bigint
    where c.claim_id = any (p_held) and (o ->> 'seq')::bigint = any (c.seqs);
    if reported is null then
        reported := '{}';
        return;
    end if;

    v_dead := ${schema}.bury_messages(p_queue, p_instance, v_outcomes, p_now);

    with told as (
        select (o ->> 'seq')::bigint as seq, (o ->> 'stream')::uuid as stream_id, o ->> 'kind' as kind,
            (o ->> 'delay_ms')::bigint as delay_ms, o ->> 'error' as error
        from jsonb_array_elements(v_outcomes) o
        where o ->> 'kind' <> 'dead'
    ), waiting as (
        update ${schema}.wh_messages m
        set status = case when m.stream_id is null then 1 else 2 end,
            attempts = least(m.attempts::int + case when t.kind = 'retry' then 1 else 0 end, 32767),
            scheduled_for = case when t.delay_ms is not null then p_now + t.delay_ms * interval '1 millisecond'
                                 when m.stream_id is null then p_now end,
            error = coalesce(t.error, m.error)
        from told t
        where m.queue = p_queue and m.seq = t.seq and m.seq = any (reported)
    ), blocked as (
        -- By what was told, not by what was found: the caller has stopped the stream also when the message is gone, because its
        -- handler's transaction had committed after all.
        select t.stream_id, min(t.seq) as seq from told t where t.stream_id is not null group by t.stream_id
    ), later as (
        select m.seq
        from ${schema}.wh_messages m
             join blocked b on b.stream_id = m.stream_id and m.seq > b.seq
        where m.queue = p_queue
          and m.seq = any (array(
              select s from ${schema}.wh_claims c cross join lateral unnest(c.seqs) s where c.claim_id = any (p_held)))
          and m.seq <> all (reported)
    )
    select (select coalesce(array_agg(b.stream_id), '{}') from blocked b),
        (select coalesce(array_agg(l.seq order by l.seq), '{}') from later l)
    into streams, released;

    perform ${schema}.park_messages(p_queue, released, p_now);
    streams := streams || v_dead;
end
$$;
