package io.whizbang.transport.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaTopicsTests {

	private final AtomicLong nanos = new AtomicLong(-5);

	private final KafkaTopics topics = new KafkaTopics(Map.of("orders.*", "shop-orders"), this.nanos::get);

	@Test
	void namesTopics() {
		assertThat(this.topics.name("orders.placed")).isEqualTo("shop-orders");
		assertThat(this.topics.name("mails")).isEqualTo("mails");
	}

	@Test
	void asksAgainForAnUnknownTopicAfterAWhile() {
		this.topics.addUnknown("mails", new IllegalStateException());
		this.nanos.addAndGet(Duration.ofSeconds(9).toNanos());
		assertThat(this.topics.unknown("mails")).hasMessageContaining("no topic \"mails\"");
		assertThat(this.topics.unknown("orders")).isNull();
		this.nanos.addAndGet(Duration.ofSeconds(1).toNanos());
		assertThat(this.topics.unknown("mails")).isNull();
	}

}
