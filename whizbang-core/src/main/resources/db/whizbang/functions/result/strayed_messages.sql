--liquibase formatted sql
--changeset whizbang:strayed_messages runOnChange:true splitStatements:false stripComments:false
-- Which of the messages that a caller takes for its own are in none of its claims: they went back, and it did not hear of it.
create or replace function ${schema}.strayed_messages(p_queue smallint, p_instance uuid, p_holding jsonb)
returns bigint[]
language sql
as $$
    select array(
        select h::bigint from jsonb_array_elements_text(p_holding) h
        except
        select s from ${schema}.wh_claims c cross join lateral unnest(c.seqs) s
        where c.queue = p_queue and c.instance_id = p_instance)
$$;
