--liquibase formatted sql
--changeset whizbang:fit_bytes runOnChange:true splitStatements:false stripComments:false
-- How many of the messages, in order, fit into so many bytes. At least one, however large: it must go some time.
create or replace function ${schema}.fit_bytes(p_queue smallint, p_seqs bigint[], p_bytes bigint)
returns int
language plpgsql
as $$
begin
    return greatest(1, (
        select count(*)
        from (select sum(m.size) over (order by m.seq) as total
              from ${schema}.wh_messages m
              where m.queue = p_queue and m.seq = any (p_seqs)) t
        where t.total <= p_bytes));
end
$$;
