--liquibase formatted sql
--changeset whizbang:0012-receptor-processing splitStatements:false stripComments:false
create table ${schema}.wh_receptor_processing (
    message_id   uuid not null,
    processed_at timestamptz not null,
    status       smallint not null,
    attempts     int not null,
    source       text not null,
    receptor     text not null,
    error        text,
    constraint wh_receptor_processing_pkey primary key (source, message_id, receptor),
    constraint wh_receptor_processing_status_is_known check (status in (1, 2))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

comment on table ${schema}.wh_receptor_processing is
    'Receptors that are done with a message of the inbox while others of the same message are not. A message that all receptors handle at the first try never has rows here; the rows of the others go when it is completed.';
comment on column ${schema}.wh_receptor_processing.status is '1 succeeded; 2 failed for good.';
comment on column ${schema}.wh_receptor_processing.attempts is 'How often the message had been tried when the receptor was done with it.';
