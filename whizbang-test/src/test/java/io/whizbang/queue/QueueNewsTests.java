package io.whizbang.queue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.worker.AnnouncementChannel;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.WorkNotifier;
import io.whizbang.worker.WorkerLifecycle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A worker that looks only every five minutes hears of what others have enqueued.
 */
@PostgresTest
class QueueNewsTests {

	private static final QueueSettings PATIENT = QueueFixture.SETTINGS.withPoll(Duration.ofMinutes(5),
			Duration.ofMinutes(5));

	private final PostgresDatabase database;

	private final List<String> seen = new CopyOnWriteArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private QueueFixture fixture;

	private WorkNotifier notifier;

	private WorkerLifecycle listening;

	private QueueWorker there;

	QueueNewsTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() {
		this.fixture = new QueueFixture(this.database);
		AnnouncementChannel channel = AnnouncementChannel.ofSchema(QueueFixture.SCHEMA);
		this.notifier = new WorkNotifier(this.database.dataSource(), channel);
		PostgresListener listener = new PostgresListener(this.database.unpooledDataSource()::getConnection, channel);
		this.there = new QueueWorker(
				this.fixture.parts(PATIENT,
						QueueFixture.single("q", 4,
								(batch, messages, codec) -> this.seen.addAll(QueueFixture.payloads(messages)))),
				this.threads, listener::healthy, null);
		new QueueLifecycle(this.there, listener).start();
		this.listening = new WorkerLifecycle(List.of(), listener, this.notifier);
		this.listening.start();
		Await.until("the listener listens", listener::healthy);
	}

	@AfterEach
	void tearDown() {
		this.there.stop();
		this.listening.stop();
		this.threads.shutdownNow();
		this.fixture.close();
	}

	@Test
	void aWorkerHearsOfWhatAnotherInstanceHasEnqueued() {
		QueueWorker here = new QueueWorker(this.fixture.parts(PATIENT), this.threads, () -> false, this.notifier);
		// Several, in case that a look which is under way finds one by chance.
		for (int i = 0; i < 10; i++) {
			String number = String.valueOf(i);
			this.fixture.queues.enqueue("q", "a", i);
			here.changed();
			Await.until(number + " is consumed", () -> this.seen.contains(number));
			Await.until(number + " is over",
					() -> this.fixture.count("select count(*) from whizbang.wh_queue_keys") == 0);
		}
	}

}
