--liquibase formatted sql
--changeset whizbang:advisory_key runOnChange:true splitStatements:false stripComments:false
-- Key of a queue's lock within advisory_class(). Numbers below 1024 are the buckets of streams that enqueue.
create or replace function ${schema}.advisory_key(p_queue smallint, p_role text)
returns int
language sql
immutable
as $$
    select p_queue * 10000 + case p_role
        when 'membership' then 2000
        when 'expiry' then 2001
        when 'sweep' then 2002
        when 'all streams' then 2003
        when 'scheduled' then 2004
        when 'deduplication' then 2005
        when 'job runs' then 2006
    end
$$;
