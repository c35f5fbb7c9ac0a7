--liquibase formatted sql
--changeset whizbang:announce_enqueue runOnChange:true splitStatements:false stripComments:false
-- Says, until the transaction ends, that messages with numbers above the current one may still appear: see safe_mark.
-- Must come before the first nextval.
create or replace function ${schema}.announce_enqueue()
returns void
language sql
as $$
    select pg_advisory_xact_lock_shared(-${schema}.advisory_class(),
        ((pg_sequence_last_value('${schema}.wh_message_seq'::regclass) >> 4) & 2147483647)::int)
$$;
