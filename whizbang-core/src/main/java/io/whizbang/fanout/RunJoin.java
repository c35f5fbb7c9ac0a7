package io.whizbang.fanout;

import java.time.Instant;
import java.util.List;

import io.whizbang.join.Join;
import io.whizbang.join.JoinId;
import io.whizbang.join.Joins;
import io.whizbang.join.NewJoin;
import io.whizbang.outbox.OutboxMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * The join that the slices of a run are members of, if the planner wants one. Its key is
 * made of the run, so that whoever goes on with a run that was cut off finds it.
 */
final class RunJoin {

	private static final Logger logger = LoggerFactory.getLogger(RunJoin.class);

	private final FanoutParts parts;

	private final String topic;

	private final Instant until;

	RunJoin(FanoutParts parts, String topic, Instant until) {
		this.parts = parts;
		this.topic = topic;
		this.until = until;
	}

	/** Enqueues slices in the current transaction, as members if there is a join. */
	void enqueue(List<OutboxMessage> slices) {
		NewJoin wanted = slices.isEmpty() ? null : wanted();
		JoinId join = (wanted != null) ? open(wanted) : null;
		if (join != null) {
			joins().enqueueAll(join, slices);
		}
		else {
			this.parts.outbox().enqueueAll(slices);
		}
	}

	/** All slices are planned, which the current transaction says as well. */
	void seal() {
		if (wanted() != null) {
			joins().findByKey(key()).ifPresent((join) -> joins().seal(join.id()));
		}
	}

	private @Nullable JoinId open(NewJoin wanted) {
		JoinId id = joins().start(wanted.withKey(key()));
		if (joins().find(id).map(Join::isOpen).orElse(false)) {
			return id;
		}
		// The work matters more than who counts it.
		logger.warn("The join {} of the fan-out \"{}\" is closed; further slices of the run are not counted", id,
				this.topic);
		return null;
	}

	private @Nullable NewJoin wanted() {
		NewJoin wanted = this.parts.planners().get(this.topic).join(this.until);
		Assert.state(wanted == null || wanted.expected() == null,
				() -> "The join of the fan-out \"%s\" must be open-ended: how many slices there are is not known before"
					.formatted(this.topic));
		return wanted;
	}

	private Joins joins() {
		Joins joins = this.parts.joins();
		Assert.state(joins != null,
				() -> "The fan-out \"%s\" wants a join, but joins are switched off; set whizbang.joins.enabled to true"
					.formatted(this.topic));
		return joins;
	}

	private String key() {
		return "fanout:" + this.topic + ":" + this.until;
	}

}
