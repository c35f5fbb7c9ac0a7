--liquibase formatted sql
--changeset whizbang:tick_covers runOnChange:true splitStatements:false stripComments:false
-- Whether everything that is visible at one tick is also visible at another.
create or replace function ${schema}.tick_covers(
    p_snapshot       pg_snapshot,
    p_restored       bigint,
    p_other          pg_snapshot,
    p_other_restored bigint
)
returns boolean
language sql
immutable
as $$
    select p_restored >= p_other_restored
       and pg_snapshot_xmax(p_snapshot) >= pg_snapshot_xmax(p_other)
       and not exists (select from pg_snapshot_xip(p_snapshot) x(tx) where pg_visible_in_snapshot(x.tx, p_other))
$$;
