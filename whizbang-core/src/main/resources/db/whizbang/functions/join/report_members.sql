--liquibase formatted sql
--changeset whizbang:report_members runOnChange:true splitStatements:false stripComments:false
-- Reports those of some messages that belong to joins, in the transaction that takes them out of the queue, whose claim is fenced. Waits for nobody.
create or replace function ${schema}.report_members(p_queue smallint, p_seqs bigint[], p_now timestamptz)
returns void
language sql
as $$
    insert into ${schema}.wh_join_reports (join_id, member, failed, reported_at)
    select ${schema}.join_of(m.headers), ${schema}.member_of(m.headers, m.message_id), false, p_now
    from ${schema}.wh_messages m
    where m.queue = p_queue and m.seq = any (p_seqs) and ${schema}.join_of(m.headers) is not null
    order by m.seq
$$;
