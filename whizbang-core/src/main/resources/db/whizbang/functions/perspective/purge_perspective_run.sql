--liquibase formatted sql
--changeset whizbang:purge_perspective_run runOnChange:true splitStatements:false stripComments:false
-- Removes some of the streams of a run that has ended; says whether all are gone.
create or replace function ${schema}.purge_perspective_run(p_run bigint, p_limit int)
returns boolean
language plpgsql
as $$
declare
    v_gone int;
begin
    delete from ${schema}.wh_perspective_checkpoints c
    where c.run_id = p_run
      and c.stream_id = any (array(
          select d.stream_id from ${schema}.wh_perspective_checkpoints d where d.run_id = p_run order by d.stream_id limit p_limit));
    get diagnostics v_gone = row_count;
    if v_gone = p_limit then
        return false;
    end if;
    update ${schema}.wh_perspectives p set cleaned = true where p.run_id = p_run;
    return true;
end
$$;
