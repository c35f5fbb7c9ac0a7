--liquibase formatted sql
--changeset whizbang:begin_guarded runOnChange:true splitStatements:false stripComments:false
-- Asks for a message: exactly one of any number of callers gets a token for it, until it fails or its lease ends.
create or replace function ${schema}.begin_guarded(
    p_source       text,
    p_id           uuid,
    p_hash         bytea,
    p_lease_ms     bigint,
    p_retention_ms bigint,
    p_now          timestamptz default null,
    out answer     text,
    out token      uuid,
    out known_hash bytea
)
language plpgsql
set lock_timeout = 0
as $$
declare
    v_now    timestamptz := coalesce(p_now, clock_timestamp());
    v_expiry timestamptz := v_now + p_lease_ms * interval '1 millisecond';
    v_known  record;
begin
    insert into ${schema}.wh_message_deduplication as d
        (source, message_id, content_hash, received_at, expires_at, status, attempts, token, lease_expiry)
    values (p_source, p_id, p_hash, v_now, v_now + p_retention_ms * interval '1 millisecond', 1, 1, gen_random_uuid(), v_expiry)
    on conflict (source, message_id) do update
    set status = 1, attempts = d.attempts + 1, token = excluded.token, lease_expiry = excluded.lease_expiry
    where (d.status = 2 or d.status = 1 and d.lease_expiry <= v_now) and d.content_hash = excluded.content_hash
    returning d.token into token;
    if token is not null then
        answer := 'NEW';
        return;
    end if;

    select d.status, d.content_hash into v_known
    from ${schema}.wh_message_deduplication d
    where d.source = p_source and d.message_id = p_id;
    known_hash := v_known.content_hash;
    answer := case when v_known.content_hash is distinct from p_hash then 'CONFLICT'
                   when v_known.status = 0 then 'DONE'
                   when v_known.status = 3 then 'DEAD'
                   else 'IN_PROGRESS' end;
end
$$;
