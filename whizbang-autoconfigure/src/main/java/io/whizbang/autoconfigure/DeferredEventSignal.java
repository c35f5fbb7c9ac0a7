package io.whizbang.autoconfigure;

import java.util.List;

import io.whizbang.event.Appended;
import io.whizbang.event.EventSignal;
import io.whizbang.perspective.PerspectiveSignal;
import io.whizbang.perspective.PerspectiveWorker;
import io.whizbang.worker.WorkNotifier;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Reaches the perspectives once all beans exist. Were the event store to know them from
 * the start, whoever they need could not append events.
 */
final class DeferredEventSignal implements EventSignal, SmartInitializingSingleton {

	private final ObjectProvider<PerspectiveWorker> worker;

	private final ObjectProvider<WorkNotifier> notifier;

	private volatile EventSignal target = EventSignal.NONE;

	DeferredEventSignal(ObjectProvider<PerspectiveWorker> worker, ObjectProvider<WorkNotifier> notifier) {
		this.worker = worker;
		this.notifier = notifier;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.worker
			.ifAvailable((worker) -> this.target = new PerspectiveSignal(worker, this.notifier.getIfAvailable()));
	}

	@Override
	public void appended(List<Appended> appended) {
		this.target.appended(appended);
	}

}
