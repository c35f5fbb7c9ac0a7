package io.whizbang.inbox;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.whizbang.message.Envelope;
import io.whizbang.work.RetryPolicy;

/**
 * Takes orders: writes a thing for each, and does besides whatever the test wants.
 */
final class RecordingReceptor implements Receptor<Map<String, String>> {

	private final InboxFixture fixture;

	private final String name;

	private final List<String> called = Collections.synchronizedList(new ArrayList<>());

	private Action action = (name, envelope) -> {
	};

	private UnaryOperator<RetryPolicy> retry = UnaryOperator.identity();

	private final boolean transactional;

	RecordingReceptor(InboxFixture fixture, String name, boolean transactional) {
		this.fixture = fixture;
		this.name = name;
		this.transactional = transactional;
	}

	RecordingReceptor then(Action action) {
		this.action = action;
		return this;
	}

	/** Fails for a message, every time. */
	RecordingReceptor failsFor(String message) {
		return then((name, envelope) -> {
			if (name.equals(message)) {
				throw new IllegalStateException("no " + name + " for " + this.name);
			}
		});
	}

	RecordingReceptor retrying(UnaryOperator<RetryPolicy> retry) {
		this.retry = retry;
		return this;
	}

	/** Names of the messages it was called for, also in vain. */
	List<String> called() {
		return this.called;
	}

	@Override
	public void handle(Map<String, String> payload, Envelope envelope) throws Exception {
		String message = payload.getOrDefault("name", "?");
		this.called.add(message);
		this.fixture.write(this.name, message);
		this.action.run(message, envelope);
	}

	@Override
	public Set<String> topics() {
		return Set.of("orders");
	}

	@Override
	public boolean transactional() {
		return this.transactional;
	}

	@Override
	public RetryPolicy retryPolicy(RetryPolicy configured) {
		return this.retry.apply(configured);
	}

	/** What a receptor does besides writing. */
	@FunctionalInterface
	interface Action {

		void run(String message, Envelope envelope) throws Exception;

	}

}
