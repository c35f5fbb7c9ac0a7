package io.whizbang.docs.sample;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.whizbang.queue.QueueBatch;
import io.whizbang.queue.QueueConsumer;
import io.whizbang.queue.QueueKey;
import io.whizbang.queue.QueueMessage;
import io.whizbang.queue.Queues;
import io.whizbang.queue.WorkQueue;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/** Samples of the page about work queues. */
public class CustomerPictures {

	private final JdbcClient jdbc;

	private final WorkQueue queue;

	private final Queues queues;

	public CustomerPictures(JdbcClient jdbc, WorkQueue queue, Queues queues) {
		this.jdbc = jdbc;
		this.queue = queue;
		this.queues = queues;
	}

	// tag::enqueue[]
	@Transactional
	public void upload(String customer, String picture) {
		this.jdbc.sql("insert into picture (id, customer) values (?, ?)").params(picture, customer).update();
		this.queue.enqueue("pictures", customer, new Picture(picture));
	}
	// end::enqueue[]

	// tag::later[]
	void remind(String customer, Picture picture) {
		this.queue.enqueue(QueueMessage.to("reminders", picture)
			.key(customer)
			.delay(Duration.ofDays(1))
			.header("language", "en")
			.build());
	}
	// end::later[]

	// tag::single[]
	@QueueConsumer(queue = "pictures", concurrency = "4", transactional = true)
	void resize(Picture picture) {
		this.jdbc.sql("update picture set resized = true where id = ?").param(picture.id()).update();
	}
	// end::single[]

	// tag::together[]
	@QueueConsumer(queue = "albums", batchSize = 50, neverRetry = IllegalArgumentException.class)
	void print(List<Picture> pictures) {
		this.jdbc.sql("insert into album (pages) values (?)").param(pictures.size()).update();
	}
	// end::together[]

	// tag::hand[]
	boolean resizeNext() {
		Optional<QueueBatch> next = this.queue.dequeueBatch("pictures", Duration.ofMinutes(1));
		next.ifPresent((batch) -> {
			if (isToolFree()) {
				batch.messages().forEach((message) -> resize(message.envelope().payload()));
				this.queue.ack(batch);
			}
			else {
				this.queue.abandon(batch, Duration.ofSeconds(10), true);
			}
		});
		return next.isPresent();
	}
	// end::hand[]

	// tag::operate[]
	List<QueueKey> operate() {
		this.queues.pause("pictures", "ada");
		this.queues.resume("pictures");
		return this.queues.keys("pictures", 100);
	}
	// end::operate[]

	private void resize(String json) {
		this.jdbc.sql("update picture set resized = true where id = (?::jsonb)->>'id'").param(json).update();
	}

	private boolean isToolFree() {
		return this.jdbc.sql("select count(*) < 10 from tool").query(Boolean.class).single();
	}

	/** What is resized. */
	public record Picture(String id) {
	}

}
