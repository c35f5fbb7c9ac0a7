package io.whizbang.letter;

import java.time.Instant;

import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Which dead letters are meant: those to which everything that is not {@code null}
 * applies.
 *
 * @param queue their queue
 * @param source where they came from, of what was received
 * @param reason why they are dead
 * @param topic their topic
 * @param type name of the payload's type
 * @param stream their stream
 * @param messageId their message
 * @param from when they died at the earliest
 * @param until before when they died
 */
public record DeadLetterFilter(@Nullable Queue queue, @Nullable String source, @Nullable String reason,
		@Nullable String topic, @Nullable String type, @Nullable StreamId stream, @Nullable MessageId messageId,
		@Nullable Instant from, @Nullable Instant until) {

	/** All letters. */
	public static final DeadLetterFilter ALL = new DeadLetterFilter(null, null, null, null, null, null, null, null,
			null);

	public DeadLetterFilter {
		Assert.isTrue(from == null || until == null || from.isBefore(until),
				() -> "No letter can have died from %s on and before %s".formatted(from, until));
	}

	public DeadLetterFilter queue(Queue queue) {
		return new DeadLetterFilter(queue, this.source, this.reason, this.topic, this.type, this.stream, this.messageId,
				this.from, this.until);
	}

	public DeadLetterFilter source(String source) {
		return new DeadLetterFilter(this.queue, source, this.reason, this.topic, this.type, this.stream, this.messageId,
				this.from, this.until);
	}

	public DeadLetterFilter reason(String reason) {
		return new DeadLetterFilter(this.queue, this.source, reason, this.topic, this.type, this.stream, this.messageId,
				this.from, this.until);
	}

	public DeadLetterFilter topic(String topic) {
		return new DeadLetterFilter(this.queue, this.source, this.reason, topic, this.type, this.stream, this.messageId,
				this.from, this.until);
	}

	public DeadLetterFilter type(String type) {
		return new DeadLetterFilter(this.queue, this.source, this.reason, this.topic, type, this.stream, this.messageId,
				this.from, this.until);
	}

	public DeadLetterFilter stream(StreamId stream) {
		return new DeadLetterFilter(this.queue, this.source, this.reason, this.topic, this.type, stream, this.messageId,
				this.from, this.until);
	}

	public DeadLetterFilter messageId(MessageId messageId) {
		return new DeadLetterFilter(this.queue, this.source, this.reason, this.topic, this.type, this.stream, messageId,
				this.from, this.until);
	}

	public DeadLetterFilter from(Instant from) {
		return new DeadLetterFilter(this.queue, this.source, this.reason, this.topic, this.type, this.stream,
				this.messageId, from, this.until);
	}

	public DeadLetterFilter until(Instant until) {
		return new DeadLetterFilter(this.queue, this.source, this.reason, this.topic, this.type, this.stream,
				this.messageId, this.from, until);
	}

}
