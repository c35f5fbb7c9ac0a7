--liquibase formatted sql
--changeset whizbang:0003-claims splitStatements:false stripComments:false
create sequence ${schema}.wh_claim_seq as bigint cache 1;

create table ${schema}.wh_claims (
    claim_id     bigint primary key,
    queue        smallint not null,
    instance_id  uuid not null,
    token        uuid not null,
    claimed_at   timestamptz not null,
    lease_expiry timestamptz not null,
    members      int,
    rank         int,
    suspects     int,
    has_heads    boolean not null,
    max_seq      bigint not null,
    seqs         bigint[] not null,
    partitions   int[] not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

-- Written once and read once: packing the lists costs more than the bytes it saves.
alter table ${schema}.wh_claims alter column seqs set storage external, alter column partitions set storage external;

comment on table ${schema}.wh_claims is
    'One row per claimed batch instead of one update per message. Its existence is the fence: no row, no completion.';
comment on column ${schema}.wh_claims.members is
    'Size of the member list it was made under, with rank: equal size and another rank means disjoint partitions. Null when stolen.';
comment on column ${schema}.wh_claims.suspects is
    'How many messages its holder works on at once; if the claim expires, so many may be the reason.';
comment on column ${schema}.wh_claims.has_heads is 'Whether heads or parked messages are among its messages.';
comment on column ${schema}.wh_claims.partitions is 'No other claim may hold one of these while this row exists.';
