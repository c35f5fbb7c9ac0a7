--liquibase formatted sql
--changeset whizbang:refresh_marks runOnChange:true splitStatements:false stripComments:false
-- Reading the safe mark looks through all locks of the cluster. It only lets the next scan start later, so it is not worth it while
-- scans are short.
create or replace function ${schema}.refresh_marks(p_memory jsonb)
returns jsonb
language plpgsql
as $$
begin
    if (p_memory ->> 'safe_at')::timestamptz > clock_timestamp()
        - (case when (p_memory ->> 'visited')::int > 100 then interval '50 milliseconds' else interval '1 second' end) then
        return p_memory;
    end if;
    return p_memory || jsonb_build_object('safe', ${schema}.safe_mark(), 'safe_at', clock_timestamp());
end
$$;
