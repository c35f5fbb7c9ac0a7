--liquibase formatted sql
--changeset whizbang:complete_messages runOnChange:true splitStatements:false stripComments:false
-- Takes completed messages away, or in debug mode aside; returns the streams that lost their head. The caller may know that none of them is a member of
-- a join: then nobody has to look.
drop function if exists ${schema}.complete_messages(smallint, uuid, bigint[], boolean, boolean, timestamptz);
create or replace function ${schema}.complete_messages(
    p_queue     smallint,
    p_instance  uuid,
    p_seqs      bigint[],
    p_has_heads boolean,
    p_debug     boolean,
    p_members   boolean,
    p_now       timestamptz
)
returns uuid[]
language plpgsql
as $$
declare
    v_streams uuid[] := '{}';
begin
    if p_debug then
        perform ${schema}.keep_completed(p_queue, p_instance, p_seqs, p_now);
    end if;
    if p_members and p_queue = 1 then
        perform ${schema}.report_members(p_queue, p_seqs, p_now);
    end if;
    if p_has_heads then
        with gone as (
            delete from ${schema}.wh_messages m
            where m.queue = p_queue and m.seq = any (p_seqs)
            returning m.stream_id, m.status
        )
        select coalesce(array_agg(distinct g.stream_id), '{}') into v_streams
        from gone g where g.status <> 0 and g.stream_id is not null;
    else
        delete from ${schema}.wh_messages m where m.queue = p_queue and m.seq = any (p_seqs);
    end if;
    return v_streams;
end
$$;
