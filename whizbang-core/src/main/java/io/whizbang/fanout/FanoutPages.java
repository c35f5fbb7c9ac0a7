package io.whizbang.fanout;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.whizbang.lease.Lease;
import io.whizbang.message.MessageId;
import io.whizbang.outbox.OutboxMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Plans the candidates of a run page by page, each in a transaction of its own that moves
 * the cursors and enqueues the slices. Used by one thread.
 */
final class FanoutPages {

	private static final Logger logger = LoggerFactory.getLogger(FanoutPages.class);

	private final FanoutParts parts;

	private final String topic;

	private final Instant until;

	private final Lease lease;

	private final RunJoin join;

	private final int pageSize;

	private final TransactionTemplate transaction;

	/** Without those that come twice; between pages the cursors know. */
	private final Map<List<String>, FanoutCandidate> page = new LinkedHashMap<>();

	private long candidates;

	private long planned;

	private @Nullable String problem;

	FanoutPages(FanoutParts parts, String topic, Instant until, Lease lease, RunJoin join) {
		this.parts = parts;
		this.topic = topic;
		this.until = until;
		this.lease = lease;
		this.join = join;
		this.pageSize = parts.settings().pageSize(topic);
		this.transaction = new TransactionTemplate(parts.transactions());
		this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.transaction.setName("whizbang-fanout");
	}

	void add(@Nullable FanoutCandidate candidate) {
		this.candidates++;
		try {
			FanoutLimits.check(candidate);
		}
		catch (IllegalArgumentException ex) {
			refuse(String.valueOf(ex.getMessage()));
			return;
		}
		if (candidate != null) {
			this.page.putIfAbsent(List.of(candidate.workKey(), candidate.shardKey()), candidate);
		}
		if (this.page.size() >= this.pageSize) {
			flush();
		}
	}

	/** One wrong candidate must not keep the others from their work. */
	private void refuse(String why) {
		if (this.problem == null) {
			this.problem = "Left out: " + why;
			logger.error("A candidate of the fan-out \"{}\" is left out, and others like it in this run: {}",
					this.topic, why);
		}
		this.parts.listener().refused(this.topic, why);
	}

	FanoutCount end() {
		flush();
		return new FanoutCount(this.candidates, this.planned, this.problem);
	}

	private void flush() {
		if (this.page.isEmpty()) {
			return;
		}
		this.lease.throwIfLost();
		List<FanoutCandidate> batch = new ArrayList<>(this.page.values());
		this.page.clear();
		Integer slices = this.transaction.execute((status) -> plan(batch));
		this.planned += slices;
		if (slices > 0) {
			this.parts.listener().planned(this.topic, slices);
		}
	}

	private int plan(List<FanoutCandidate> candidates) {
		List<PlannedSlice> slices = this.parts.store()
			.plan(this.topic, this.lease.token(), this.until, candidates, this.parts.settings().abandonAfter());
		if (!slices.isEmpty() && slices.get(0).number() == 0) {
			throw new FanoutLostException(
					"The fan-out \"%s\" has another coordinator by now, which goes on".formatted(this.topic));
		}
		List<OutboxMessage> messages = new ArrayList<>(slices.size());
		slices.forEach((slice) -> messages.add(message(candidates.get(slice.number() - 1), slice)));
		this.join.enqueue(messages);
		return messages.size();
	}

	private OutboxMessage message(FanoutCandidate candidate, PlannedSlice planned) {
		FanoutSlice slice = new FanoutSlice(this.topic, candidate.workKey(), candidate.shardKey(),
				planned.windowStart(), this.until);
		OutboxMessage.Builder message = OutboxMessage
			.to(FanoutSlice.messageTopic(slice.topic(), slice.workKey()), slice.payload())
			.id(MessageId.of(planned.id()))
			.type(FanoutSlice.class.getName())
			.stream(slice.stream())
			.headers(candidate.headers());
		return (planned.jitter().isZero() ? message : message.delay(planned.jitter())).build();
	}

}
