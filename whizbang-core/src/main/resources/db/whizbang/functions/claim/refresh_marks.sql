--liquibase formatted sql
--changeset whizbang:refresh_marks runOnChange:true splitStatements:false stripComments:false
-- Reading the safe mark looks through all locks of the cluster: a few times a second is enough.
create or replace function ${schema}.refresh_marks(p_memory jsonb)
returns jsonb
language plpgsql
as $$
begin
    if (p_memory ->> 'safe_at')::timestamptz > clock_timestamp() - interval '50 milliseconds' then
        return p_memory;
    end if;
    return p_memory || jsonb_build_object('safe', ${schema}.safe_mark(), 'safe_at', clock_timestamp());
end
$$;
