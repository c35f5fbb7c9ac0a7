--liquibase formatted sql
--changeset whizbang:queue_view runOnChange:true splitStatements:false stripComments:false
-- How the caller sees the queue. A stealing caller, alone under the exclusive lock, sees itself as the only member.
drop function if exists ${schema}.queue_view(smallint, uuid, boolean);
create or replace function ${schema}.queue_view(
    p_queue    smallint,
    p_instance uuid,
    p_steal    boolean,
    out epoch int, out partitions int, out members int, out rank int, out own_rank int, out low bigint, out claim_low bigint,
    out claim_members int, out claim_rank int, out incarnation uuid, out last_number bigint
)
language plpgsql
as $$
begin
    select e.epoch, e.partitions, cardinality(e.members), array_position(e.members, p_instance) - 1, e.low, e.claim_low,
        (select i.id from ${schema}.wh_incarnation i where i.is_only), (select s.last_value from ${schema}.wh_message_seq s)
    into strict epoch, partitions, members, rank, low, claim_low, incarnation, last_number
    from ${schema}.wh_epoch e
    where e.queue = p_queue;
    if incarnation is null then
        incarnation := ${schema}.begin_incarnation();
    end if;
    own_rank := rank;
    if p_steal then
        -- An epoch that never is: nothing remembered under a share may serve here.
        epoch := -epoch;
        members := 1;
        rank := 0;
    else
        claim_members := members;
        claim_rank := rank;
    end if;
end
$$;
