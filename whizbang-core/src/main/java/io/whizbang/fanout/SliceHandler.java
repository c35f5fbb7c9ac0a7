package io.whizbang.fanout;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

import io.whizbang.coordinator.Transactions;
import io.whizbang.handler.HandlerMethod;
import io.whizbang.message.Envelope;
import io.whizbang.outbox.TopicHandler;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A topic handler made of a {@link FanoutHandler} method.
 */
final class SliceHandler implements TopicHandler<@Nullable Object> {

	private static final Logger logger = LoggerFactory.getLogger(SliceHandler.class);

	private final String topic;

	private final FanoutHandler annotation;

	private final HandlerMethod method;

	private final Supplier<Object> bean;

	private final FanoutParts parts;

	private final Transactions transactions;

	SliceHandler(String topic, FanoutHandler annotation, HandlerMethod method, Supplier<Object> bean,
			FanoutParts parts) {
		this.topic = topic;
		this.annotation = annotation;
		this.method = method;
		this.bean = bean;
		this.parts = parts;
		this.transactions = new Transactions(parts.transactions(), "whizbang-fanout");
	}

	@Override
	public String topic() {
		return this.topic;
	}

	@Override
	public Type payloadType() {
		return Void.class;
	}

	@Override
	public void handle(@Nullable Object payload, Envelope envelope) throws Exception {
		FanoutSlice slice = FanoutSlice.of(envelope);
		Handling handling = new Handling(slice, envelope);
		if (this.annotation.transactional()) {
			this.transactions.<Exception>run(this.transactions.begin(), () -> handling.run(true));
		}
		else {
			handling.run(false);
		}
		handling.tell();
	}

	@Override
	public RetryPolicy retryPolicy(RetryPolicy configured) {
		return configured.adjusted(this.annotation.maxAttempts(), this.annotation.neverRetry());
	}

	@Override
	public String toString() {
		return this.method.toString();
	}

	/** One call, and what came of it. */
	private final class Handling {

		private final FanoutSlice slice;

		private final Envelope envelope;

		private final long start = System.nanoTime();

		private Optional<Duration> lateness = Optional.empty();

		Handling(FanoutSlice slice, Envelope envelope) {
			this.slice = slice;
			this.envelope = envelope;
		}

		void run(boolean lock) throws Exception {
			this.lateness = SliceHandler.this.parts.store().beginSlice(this.slice, lock);
			if (this.lateness.isEmpty()) {
				return;
			}
			SliceHandler.this.method.invoke(SliceHandler.this.bean.get(), null, this.envelope);
			if (!SliceHandler.this.parts.store().completeSlice(this.slice)) {
				logger.warn("The window of {} was completed by somebody else while it was handled", this.slice);
			}
		}

		void tell() {
			this.lateness.ifPresentOrElse((late) -> SliceHandler.this.parts.listener()
				.completed(this.slice, late, Duration.ofNanos(System.nanoTime() - this.start)), () -> {
					logger.debug("{} is left out: its window was completed already", this.slice);
					SliceHandler.this.parts.listener().repeated(this.slice);
				});
		}

	}

}
