--liquibase formatted sql
--changeset whizbang:acquire_lease runOnChange:true splitStatements:false stripComments:false
-- Gives a free or expired lease to one caller; the others learn how long its holder has it for. An owner that asks again, because the answer
-- was lost, gets what it has got.
create or replace function ${schema}.acquire_lease(
    p_name        text,
    p_owner       uuid,
    p_holder      text,
    p_duration_ms bigint,
    p_now         timestamptz default null,
    out token     bigint,
    out held_ms   bigint
)
language plpgsql
set lock_timeout = 0
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
#variable_conflict use_column
declare
    v_now    timestamptz := coalesce(p_now, clock_timestamp());
    v_base   bigint;
    v_expiry timestamptz;
begin
    perform ${schema}.require_read_committed();
    -- Most callers come in vain: they read a row, and neither lock nor write anything.
    select l.expires_at into v_expiry
    from ${schema}.wh_leases l
    where l.name = p_name and l.expires_at > v_now and l.owner <> p_owner;
    if not found then
        -- A caller that took its token and then waited could get the lease after one with a higher token.
        perform pg_advisory_xact_lock(('${schema}.wh_leases'::regclass::oid::bigint & 2147483647)::int, hashtext(p_name));
        v_now := coalesce(p_now, clock_timestamp());
        -- A crash must not forget a lease that its holder knows of.
        if current_setting('synchronous_commit') = 'off' then
            perform set_config('synchronous_commit', 'on', true);
        end if;
        select t.base into v_base
        from ${schema}.wh_lease_tokens t join ${schema}.wh_incarnation i on i.id = t.incarnation
        where t.is_only and i.is_only;
        v_base := coalesce(v_base, ${schema}.begin_lease_tokens());
        insert into ${schema}.wh_leases as l (name, token, owner, holder, acquired_at, renewed_at, expires_at)
        values (p_name, v_base + nextval('${schema}.wh_lease_seq'), p_owner, p_holder, v_now, v_now,
            v_now + p_duration_ms * interval '1 millisecond')
        on conflict (name) do update
        set token = excluded.token, owner = excluded.owner, holder = excluded.holder, acquired_at = excluded.acquired_at,
            renewed_at = excluded.renewed_at, expires_at = excluded.expires_at
        where l.expires_at <= v_now or l.owner = excluded.owner
        returning l.token into token;
        if token is not null then
            perform ${schema}.purge_leases(v_now);
            return;
        end if;
        select l.expires_at into v_expiry from ${schema}.wh_leases l where l.name = p_name;
    end if;
    held_ms := greatest(0, ceil(extract(epoch from v_expiry - v_now) * 1000))::bigint;
end
$$;
