--liquibase formatted sql
--changeset whizbang:retire_perspective_run runOnChange:true splitStatements:false stripComments:false
-- Ends a run: with its shards gone, whoever still works on them can move nothing. Its streams are removed little by little.
create or replace function ${schema}.retire_perspective_run(p_run bigint)
returns void
language plpgsql
as $$
begin
    -- In order, and waiting for who is just moving one.
    perform from ${schema}.wh_perspective_shards s where s.run_id = p_run order by s.shard for update;
    delete from ${schema}.wh_perspective_shards s where s.run_id = p_run;
    update ${schema}.wh_perspectives p set status = 2, retired_at = clock_timestamp() where p.run_id = p_run;
    perform ${schema}.take_letters(array(
        select d.dead_letter_id
        from ${schema}.wh_dead_letters d
        where d.queue = 3 and d.topic = (select p.name from ${schema}.wh_perspectives p where p.run_id = p_run)
          and d.headers ->> 'whizbang-perspective-run' = p_run::text), 'discarded', 'whizbang', 'its run has ended', clock_timestamp());
end
$$;
