--liquibase formatted sql
--changeset whizbang:refresh_marks runOnChange:true splitStatements:false stripComments:false
-- Reading the safe mark looks through all locks of the cluster: a few times a second is enough, and less often while few numbers were drawn since.
drop function if exists ${schema}.refresh_marks(jsonb);
create or replace function ${schema}.refresh_marks(p_memory jsonb, p_last bigint)
returns jsonb
language plpgsql
as $$
declare
    c_pause constant interval := case when p_last - (p_memory ->> 'safe')::bigint < 64 then '1 second' else '50 milliseconds' end;
begin
    if (p_memory ->> 'safe_at')::timestamptz > clock_timestamp() - c_pause then
        return p_memory;
    end if;
    return p_memory || jsonb_build_object('safe', ${schema}.safe_mark(), 'safe_at', clock_timestamp());
end
$$;
