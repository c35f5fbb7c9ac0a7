package io.whizbang.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.queue.QueueBatch;
import io.whizbang.queue.QueueConsumer;
import io.whizbang.queue.QueuedMessage;
import io.whizbang.work.PermanentFailureException;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Beans with consumers of work queues, right and wrong.
 */
final class QueueBeans {

	private QueueBeans() {
	}

	record Picture(int number) {
	}

	static class Pictures {

		final List<String> seen = new CopyOnWriteArrayList<>();

		final AtomicInteger running = new AtomicInteger();

		final AtomicInteger most = new AtomicInteger();

		final CountDownLatch goOn = new CountDownLatch(1);

		volatile boolean broken;

		@QueueConsumer(queue = "single")
		void one(Picture picture, Envelope envelope, MessageId id, Map<String, String> headers) {
			if (this.broken || !id.equals(envelope.id()) || envelope.stream() == null) {
				throw new PermanentFailureException("no hope");
			}
			this.seen.add("single %d of %s for %s".formatted(picture.number(), envelope.stream().key(),
					headers.get("tenant")));
		}

		@QueueConsumer(queue = "together")
		void all(List<Picture> pictures) {
			this.seen.add("together " + pictures.stream().map(Picture::number).toList());
		}

		@QueueConsumer(queue = "slow", concurrency = "${pictures.concurrency:0}")
		void slowly(Picture picture) throws InterruptedException {
			this.most.accumulateAndGet(this.running.incrementAndGet(), Math::max);
			this.goOn.await();
			this.running.decrementAndGet();
			this.seen.add("slow " + picture.number());
		}

	}

	/** Its consumers write, and then fail the first time. */
	static class Guarded {

		final AtomicInteger calls = new AtomicInteger();

		private final JdbcTemplate jdbc;

		private final List<String> failed = new CopyOnWriteArrayList<>();

		Guarded(DataSource dataSource) {
			this.jdbc = new JdbcTemplate(dataSource);
		}

		@QueueConsumer(queue = "exact", transactional = true)
		void exact(String picture) {
			write(picture);
		}

		@QueueConsumer(queue = "loose")
		void loose(String picture) {
			write(picture);
		}

		private void write(String picture) {
			this.jdbc.update("insert into resized (picture) values (?)", picture);
			this.calls.incrementAndGet();
			if (!this.failed.contains(picture)) {
				this.failed.add(picture);
				throw new IllegalStateException("not yet");
			}
		}

	}

	static class NegativeConcurrency {

		@QueueConsumer(queue = "q", concurrency = "-1")
		void take(String picture) {
		}

	}

	static class NegativeAttempts {

		@QueueConsumer(queue = "q", maxAttempts = -1)
		void take(String picture) {
		}

	}

	static class HugeBatch {

		@QueueConsumer(queue = "q", batchSize = 10_001)
		void take(String picture) {
		}

	}

	static class NoParameter {

		@QueueConsumer(queue = "q")
		void take() {
		}

	}

	static class TwoPayloads {

		@QueueConsumer(queue = "q")
		void take(String picture, Integer size) {
		}

	}

	static class BatchAndPayload {

		@QueueConsumer(queue = "q")
		void take(QueueBatch batch, String picture) {
		}

	}

	static class ListOfAnything {

		@QueueConsumer(queue = "q")
		void take(List<?> pictures) {
		}

	}

	static class SingleQueuedMessage {

		@QueueConsumer(queue = "q")
		void take(QueuedMessage message) {
		}

	}

	static class Returns {

		@QueueConsumer(queue = "q")
		String take(String picture) {
			return picture;
		}

	}

	static class NoQueue {

		@QueueConsumer(queue = " ")
		void take(String picture) {
		}

	}

	static class UnknownPlaceholder {

		@QueueConsumer(queue = "${nobody.knows}")
		void take(String picture) {
		}

	}

}
