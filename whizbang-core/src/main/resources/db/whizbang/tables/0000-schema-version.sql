--liquibase formatted sql
--changeset whizbang:0000-schema-version splitStatements:false stripComments:false
create table ${schema}.wh_schema_version (
    version      int generated always as identity primary key,
    fingerprint  text not null,
    release      text not null,
    installed_at timestamptz not null default now(),
    constraint wh_schema_version_installed_once unique (fingerprint)
);

comment on table ${schema}.wh_schema_version is
    'Every changelog that was installed here, oldest first. A release whose changelog is listed but not last is older than the schema and leaves it alone.';
