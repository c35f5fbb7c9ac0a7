package io.whizbang.handler;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UnroutableTopicsTests {

	private final AtomicLong nanos = new AtomicLong();

	private final UnroutableTopics topics = new UnroutableTopics(Duration.ofSeconds(30), this.nanos::get);

	@Test
	void forgetsTopicsThatAreSilent() {
		assertThat(this.topics.add("a")).isTrue();
		assertThat(this.topics.add("a")).isFalse();
		this.nanos.addAndGet(Duration.ofSeconds(60).toNanos());
		this.topics.add("b");
		assertThat(this.topics.topics()).containsExactly("a", "b");
		this.nanos.addAndGet(Duration.ofSeconds(60).toNanos());
		assertThat(this.topics.topics()).containsExactly("b");
	}

	@Test
	void remembersNoMoreThanSomeTopics() {
		for (int i = 0; i < 200; i++) {
			this.topics.add("topic" + i);
		}
		assertThat(this.topics.topics()).hasSize(100);
	}

}
