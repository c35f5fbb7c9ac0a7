package io.whizbang.observation;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MicrometerWorkListenerTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final MicrometerWorkListener listener = new MicrometerWorkListener(this.registry);

	@Test
	void countsWorkByTopicAndOutcome() {
		this.listener.ended(Queue.OUTBOX, work("a"), Outcome.DONE);
		this.listener.ended(Queue.OUTBOX, work("a"), Outcome.DONE);
		this.listener.ended(Queue.OUTBOX, work("a"), new Outcome.Retry(Duration.ZERO, "x"));
		this.listener.ended(Queue.OUTBOX, work("b"), new Outcome.Dead("x", "x"));
		assertThat(ended("a", "done")).isEqualTo(2);
		assertThat(ended("a", "retried")).isEqualTo(1);
		assertThat(ended("b", "dead")).isEqualTo(1);
	}

	@Test
	void doesNotGrowWithTopicsThatAreMadeUp() {
		for (int i = 0; i < 1_000; i++) {
			this.listener.ended(Queue.OUTBOX, work("topic" + i), Outcome.DONE);
		}
		assertThat(this.registry.getMeters()).hasSize(201);
		assertThat(ended("other", "done")).isEqualTo(800);
	}

	@Test
	void timesExchangesAndCountsTheRest() {
		this.listener.exchanged(Queue.OUTBOX, 5, Duration.ofMillis(3));
		this.listener.exchanged(Queue.OUTBOX, 0, Duration.ofMillis(3));
		this.listener.roundFailed(Queue.OUTBOX, new IllegalStateException());
		this.listener.claimsLost(Queue.OUTBOX, 1);
		this.listener.messagesRecovered(Queue.OUTBOX, 2);
		this.listener.orphansFound(Queue.OUTBOX, 3);
		assertThat(this.registry.get("whizbang.exchange").tag("queue", "outbox").timer().count()).isEqualTo(2);
		assertThat(count("whizbang.work.claimed")).isEqualTo(5);
		assertThat(this.registry.get("whizbang.round.failures")
			.tag("exception", "IllegalStateException")
			.counter()
			.count()).isEqualTo(1);
		assertThat(count("whizbang.claims.lost")).isEqualTo(1);
		assertThat(count("whizbang.messages.recovered")).isEqualTo(2);
		assertThat(count("whizbang.messages.orphaned")).isEqualTo(3);
	}

	@Test
	void countsWhatArrivedByWhatBecameOfIt() {
		this.listener.received(Queue.INBOX, 3, 2, 1);
		this.listener.received(Queue.INBOX, 4, 0, 0);
		assertThat(received("accepted")).isEqualTo(7);
		assertThat(received("duplicate")).isEqualTo(2);
		assertThat(received("conflict")).isEqualTo(1);
	}

	@Test
	void hasNoCounterForWhatNeverArrived() {
		this.listener.received(Queue.INBOX, 1, 0, 0);
		assertThat(this.registry.find("whizbang.messages.received").counters()).hasSize(1);
	}

	@Test
	void showsZeroForTroubleThatHasNotHappenedInAQueueThatIsThere() {
		this.listener.expect(Queue.OUTBOX);
		this.listener.expect(Queue.INBOX);
		assertThat(count("whizbang.claims.lost")).isZero();
		assertThat(count("whizbang.messages.recovered")).isZero();
		assertThat(count("whizbang.messages.orphaned")).isZero();
		assertThat(received("conflict")).isZero();
		assertThat(this.registry.find("whizbang.messages.received").tag("queue", "outbox").counter()).isNull();
	}

	@Test
	void countsWhatNobodyHandledByTopic() {
		this.listener.unhandled(Queue.INBOX, work("a"));
		this.listener.unhandled(Queue.INBOX, work("a"));
		this.listener.unhandled(Queue.INBOX, work("b"));
		assertThat(unhandled("a")).isEqualTo(2);
		assertThat(unhandled("b")).isEqualTo(1);
	}

	@Test
	void doesNotGrowWithTopicsThatNobodyHandles() {
		for (int i = 0; i < 1_000; i++) {
			this.listener.unhandled(Queue.INBOX, work("topic" + i));
		}
		assertThat(this.registry.getMeters()).hasSize(201);
		assertThat(unhandled("other")).isEqualTo(800);
	}

	private double received(String outcome) {
		return this.registry.get("whizbang.messages.received")
			.tags("queue", "inbox", "outcome", outcome)
			.counter()
			.count();
	}

	private double unhandled(String topic) {
		return this.registry.get("whizbang.messages.unhandled")
			.tags("queue", "inbox", "topic", topic)
			.counter()
			.count();
	}

	private double count(String name) {
		return this.registry.get(name).tag("queue", "outbox").counter().count();
	}

	private double ended(String topic, String outcome) {
		return this.registry.get("whizbang.work.ended").tag("topic", topic).tag("outcome", outcome).counter().count();
	}

	private static Work work(String topic) {
		return new Work(new Claim(1, UUID.randomUUID()), 1, 0, null,
				new Envelope(MessageId.next(), topic, "Type", null, Map.of(), "{}", Instant.EPOCH));
	}

}
