package io.whizbang.worker;

import java.time.Duration;

import io.whizbang.coordinator.WorkBatch;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners and operators what an exchange brought, beside the work.
 */
final class RoundNews {

	private static final Logger logger = LoggerFactory.getLogger(RoundNews.class);

	private final Queue queue;

	private final WorkListener listener;

	private final String name;

	RoundNews(Queue queue, WorkListener listener, String name) {
		this.queue = queue;
		this.listener = listener;
		this.name = name;
	}

	void tell(WorkBatch batch, boolean members, Duration took) {
		this.listener.exchanged(this.queue, batch.claimed().count(), took);
		if (members) {
			this.listener.membersEnded(this.queue);
		}
		if (!batch.lost().isEmpty()) {
			logger.warn("{} lost {} claims: their leases ended before their work did, or an answer got lost", this.name,
					batch.lost().size());
			this.listener.claimsLost(this.queue, batch.lost().size());
		}
		if (batch.recovered() > 0) {
			logger.warn("{} recovered {} messages of instances that are gone or stuck", this.name, batch.recovered());
			this.listener.messagesRecovered(this.queue, batch.recovered());
		}
		if (batch.orphans() > 0) {
			logger.error("{} found {} messages that nobody would have claimed; please report this bug", this.name,
					batch.orphans());
			this.listener.orphansFound(this.queue, batch.orphans());
		}
	}

	void tellFailure(Exception failure) {
		this.listener.roundFailed(this.queue, failure);
	}

}
