package io.whizbang.event;

import java.util.ArrayList;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Gathers what the current transaction appends, and tells of it after the commit.
 */
final class AppendedInTransaction implements TransactionSynchronization {

	private static final Logger logger = LoggerFactory.getLogger(AppendedInTransaction.class);

	private final EventSignal signal;

	private final List<Appended> appended = new ArrayList<>();

	private AppendedInTransaction(EventSignal signal) {
		this.signal = signal;
	}

	static void add(EventSignal signal, List<Appended> appended) {
		if (signal == EventSignal.NONE) {
			return;
		}
		for (TransactionSynchronization known : TransactionSynchronizationManager.getSynchronizations()) {
			if (known instanceof AppendedInTransaction gathered && gathered.signal == signal) {
				gathered.appended.addAll(appended);
				return;
			}
		}
		AppendedInTransaction gathered = new AppendedInTransaction(signal);
		gathered.appended.addAll(appended);
		TransactionSynchronizationManager.registerSynchronization(gathered);
	}

	@Override
	public void afterCommit() {
		try {
			this.signal.appended(List.copyOf(this.appended));
		}
		catch (RuntimeException ex) {
			// The events are committed: the caller must not believe otherwise.
			logger.warn("Could not tell of appended events; they are found with the next poll", ex);
		}
	}

}
