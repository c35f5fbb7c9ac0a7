--liquibase formatted sql
--changeset whizbang:purge_deduplication runOnChange:true splitStatements:false stripComments:false
-- Forgets messages whose time is over, a bounded number of them and one caller at a time. Returns how many.
create or replace function ${schema}.purge_deduplication(p_limit int, p_now timestamptz default null)
returns int
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
    v_now  timestamptz := coalesce(p_now, clock_timestamp());
    v_gone int;
begin
    if not pg_try_advisory_xact_lock(${schema}.advisory_class(), ${schema}.advisory_key(2::smallint, 'deduplication')) then
        return 0;
    end if;
    -- Who is being handled is not forgotten, however long it takes.
    with old as materialized (
        select d.source, d.message_id
        from ${schema}.wh_message_deduplication d
        where d.expires_at <= v_now and not (d.status = 1 and d.lease_expiry > v_now)
        order by d.expires_at
        limit p_limit
        for update skip locked
    )
    delete from ${schema}.wh_message_deduplication d
    using old
    where d.source = old.source and d.message_id = old.message_id;
    get diagnostics v_gone = row_count;
    return v_gone;
end
$$;
