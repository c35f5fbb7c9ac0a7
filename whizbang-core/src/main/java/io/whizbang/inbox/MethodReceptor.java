package io.whizbang.inbox;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Set;

import io.whizbang.handler.HandlerMethods;
import io.whizbang.message.Envelope;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * A receptor made of an annotated method.
 *
 * @param found the method
 * @param name its name
 * @param types the types of messages that it takes
 * @param topics the topics whose messages it takes
 * @param timeout how long it may take, or {@code null}
 */
record MethodReceptor(HandlerMethods.Found<MessageHandler> found, String name, Set<String> types, Set<String> topics,
		@Nullable Duration timeout) implements Receptor<@Nullable Object> {

	@Override
	public void handle(@Nullable Object payload, Envelope envelope) throws Exception {
		this.found.method().invoke(this.found.bean().get(), payload, envelope);
	}

	@Override
	public Type payloadType() {
		return this.found.method().readAs();
	}

	@Override
	public boolean transactional() {
		return this.found.annotation().transactional();
	}

	@Override
	public RetryPolicy retryPolicy(RetryPolicy configured) {
		return configured.adjusted(this.found.annotation().maxAttempts(), this.found.annotation().neverRetry());
	}

	@Override
	public String toString() {
		return this.found.method().toString();
	}

}
