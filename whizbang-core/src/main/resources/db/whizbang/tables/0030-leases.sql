--liquibase formatted sql
--changeset whizbang:0030-leases splitStatements:false stripComments:false
-- No cache: two sessions with numbers in stock would give out a lower one after a higher one.
create sequence ${schema}.wh_lease_seq as bigint cache 1;

create table ${schema}.wh_leases (
    token       bigint not null,
    acquired_at timestamptz not null,
    renewed_at  timestamptz not null,
    expires_at  timestamptz not null,
    owner       uuid not null,
    name        text not null,
    holder      text not null,
    constraint wh_leases_pkey primary key (name)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create index wh_leases_expiry on ${schema}.wh_leases (expires_at);

-- The sequence alone could give out a number twice when a standby takes over that had not heard of it yet.
create table ${schema}.wh_lease_tokens (
    is_only     boolean primary key default true,
    incarnation uuid,
    base        bigint not null default 0,
    constraint wh_lease_tokens_is_only check (is_only)
);
insert into ${schema}.wh_lease_tokens default values;

comment on table ${schema}.wh_leases is
    'Leases that are held, and for a while those that have expired. A lease that is released has no row.';
comment on column ${schema}.wh_leases.token is 'Fencing token: every acquisition has a higher one than all before it, over all names.';
comment on column ${schema}.wh_leases.owner is 'The acquisition; whoever renews or releases has to know it.';
comment on column ${schema}.wh_leases.holder is 'The instance, for people who look.';
comment on table ${schema}.wh_lease_tokens is
    'One row: what is added to the sequence to make a token. It jumps when the database has crashed or a standby has taken over.';
