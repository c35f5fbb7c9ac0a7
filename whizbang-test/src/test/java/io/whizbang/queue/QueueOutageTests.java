package io.whizbang.queue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.whizbang.message.MessageCodec;
import io.whizbang.test.Await;
import io.whizbang.test.EmbeddedPostgresServer;
import io.whizbang.test.PostgresDatabase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A worker of work queues outlives its database (G10).
 */
class QueueOutageTests {

	private static final QueueSettings SETTINGS = QueueFixture.SETTINGS.withLock(Duration.ofMinutes(5),
			Duration.ofHours(1));

	private final List<String> seen = new CopyOnWriteArrayList<>();

	private final CountDownLatch begun = new CountDownLatch(1);

	private final CountDownLatch goOn = new CountDownLatch(1);

	@Test
	void aWorkerPausesWhileTheDatabaseIsAwayAndTellsTheEndOfItsBatchAfterwards() throws Exception {
		try (EmbeddedPostgresServer server = EmbeddedPostgresServer.create();
				PostgresDatabase database = server.server().createDatabase("queues");
				QueueFixture fixture = new QueueFixture(database)) {
			QueueWorker worker = fixture.worker(SETTINGS, QueueFixture.single("q", 4, this::consume));
			worker.start();
			fixture.queues.enqueue("q", "a", "slow");
			this.begun.await();

			server.stop();
			worker.changed();
			Await.until("rounds fail", () -> worker.consecutiveFailures() > 0);
			assertThat(worker.isRunning()).isTrue();
			this.goOn.countDown();
			Await.until("the consumer ends while the database is away", () -> this.seen.contains("\"slow\""));

			server.start();
			Await.until("rounds succeed again", () -> worker.consecutiveFailures() == 0);
			Await.until("the end is told", () -> fixture.count("select count(*) from whizbang.wh_queue_keys") == 0);
			fixture.queues.enqueue("q", "a", "next");
			Await.until("the next message is consumed", () -> this.seen.contains("\"next\""));
			assertThat(this.seen).as("each came once").containsExactly("\"slow\"", "\"next\"");
		}
	}

	private void consume(QueueBatch batch, List<QueuedMessage> messages, MessageCodec codec) throws Exception {
		this.begun.countDown();
		this.goOn.await();
		this.seen.addAll(QueueFixture.payloads(messages));
	}

}
