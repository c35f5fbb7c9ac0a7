package io.whizbang.fanout;

import java.util.List;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.join.Joins;
import io.whizbang.lease.Leases;
import io.whizbang.outbox.Outbox;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * What fan-outs are made of.
 *
 * @param store where they are kept
 * @param planners who says what there is to do
 * @param outbox where slices go
 * @param leases keep the coordinator of a topic single
 * @param transactions the application's transactions on the store's database
 * @param settings how this instance goes about them
 * @param info who this instance is
 * @param listener who wants to know
 * @param joins count the slices of runs, or {@code null} where there are none
 */
public record FanoutParts(JdbcFanoutStore store, FanoutPlanners planners, Outbox outbox, Leases leases,
		PlatformTransactionManager transactions, FanoutSettings settings, InstanceInfo info, FanoutListener listener,
		@Nullable Joins joins) {

	public FanoutParts {
		listener = (listener instanceof FanoutListeners) ? listener : new FanoutListeners(List.of(listener));
	}

}
