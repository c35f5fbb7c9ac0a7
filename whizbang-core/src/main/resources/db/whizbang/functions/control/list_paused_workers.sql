--liquibase formatted sql
--changeset whizbang:list_paused_workers runOnChange:true splitStatements:false stripComments:false
create or replace function ${schema}.list_paused_workers()
returns table (worker text, paused_at timestamptz, paused_by text, note text)
language sql
stable
as $$
    select w.worker, w.paused_at, w.paused_by, w.note from ${schema}.wh_paused_workers w order by w.worker
$$;
