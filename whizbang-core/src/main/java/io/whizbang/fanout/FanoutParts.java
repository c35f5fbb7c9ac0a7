package io.whizbang.fanout;

import java.util.List;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.lease.Leases;
import io.whizbang.outbox.Outbox;

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
 */
public record FanoutParts(JdbcFanoutStore store, FanoutPlanners planners, Outbox outbox, Leases leases,
		PlatformTransactionManager transactions, FanoutSettings settings, InstanceInfo info, FanoutListener listener) {

	public FanoutParts {
		listener = (listener instanceof FanoutListeners) ? listener : new FanoutListeners(List.of(listener));
	}

}
