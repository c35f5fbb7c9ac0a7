package io.whizbang.test;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.message.MessageId;
import io.whizbang.message.NewMessage;
import io.whizbang.message.StreamId;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaMode;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;
import io.whizbang.work.WorkHandler;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkerSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class ManualWorkerTests {

	private static final CoordinatorSettings RULES = CoordinatorSettings.defaults();

	private final PostgresDatabase database;

	private final DatabaseClock clock;

	private final JdbcWorkCoordinator coordinator;

	private final Handler handler = new Handler();

	private final ManualWorker worker;

	ManualWorkerTests(PostgresDatabase database) {
		this.database = database;
		this.clock = new DatabaseClock(database.unpooledDataSource());
		this.coordinator = new JdbcWorkCoordinator(database.dataSource(), "whizbang", RULES, this.clock);
		QueueWork what = new QueueWork(Queue.OUTBOX, this.handler, (work) -> RetryPolicy.defaults(), WorkListener.NONE);
		this.worker = new ManualWorker(what, this.coordinator, RULES, WorkerSettings.defaults().withBatchSize(2));
	}

	@BeforeAll
	static void installTheSchema(PostgresDatabase database) {
		new SchemaInstaller(database.dataSource(),
				new SchemaSettings("whizbang", SchemaMode.MIGRATE, Duration.ofSeconds(30)))
			.install();
	}

	@AfterEach
	void leaveNothingBehind() {
		this.worker.close();
		this.database.jdbc().execute("truncate whizbang.wh_messages, whizbang.wh_claims, whizbang.wh_scheduled");
	}

	@Test
	void doesOneClaimAtATime() throws SQLException {
		store("a", "b", "c");
		assertThat(this.worker.runOnce()).hasSize(2);
		assertThat(waiting()).isEqualTo(1);
		assertThat(this.worker.runOnce()).hasSize(1);
		assertThat(this.worker.runOnce()).isEmpty();
	}

	@Test
	void goesOnUntilNothingIsLeftOnTheTestsOwnThread() throws SQLException {
		store("a", "b", "c", "d", "e");
		assertThat(this.worker.runUntilIdle()).extracting((ended) -> ended.work().envelope().payload())
			.containsExactly("a", "b", "c", "d", "e");
		assertThat(this.handler.threads).containsOnly(Thread.currentThread());
		assertThat(waiting()).isZero();
	}

	@Test
	void triesAgainOnlyWhenTheClockSaysSo() throws SQLException {
		store("a", "b");
		this.handler.failing = true;
		assertThat(this.worker.runUntilIdle()).singleElement()
			.satisfies((ended) -> assertThat(ended.outcome()).isInstanceOf(Outcome.Retry.class));
		this.handler.failing = false;
		assertThat(this.worker.runUntilIdle()).isEmpty();
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.worker.runUntilIdle()).extracting((ended) -> ended.work().envelope().payload())
			.containsExactly("a", "b");
	}

	@Test
	void leavesTheQueueToOthersWhenItIsClosed() throws SQLException {
		store("a");
		this.handler.failing = true;
		this.worker.runUntilIdle();
		this.worker.close();
		assertThat(this.database.jdbc()
			.queryForObject("select count(*) from whizbang.wh_service_instances", Integer.class)).isZero();
	}

	private void store(String... payloads) throws SQLException {
		List<NewMessage> messages = new ArrayList<>();
		for (String payload : payloads) {
			messages.add(new NewMessage(MessageId.next(), "things", "Thing", StreamId.of("stream"), Map.of(), payload,
					null, null));
		}
		try (Connection connection = this.database.unpooledDataSource().getConnection()) {
			new JdbcMessageStore("whizbang").store(connection, Queue.OUTBOX, messages, true);
		}
	}

	private int waiting() {
		return this.database.jdbc().queryForObject("select count(*) from whizbang.wh_messages", Integer.class);
	}

	private static final class Handler implements WorkHandler {

		private final List<Thread> threads = new ArrayList<>();

		private boolean failing;

		@Override
		public Object batchKey(Work work) {
			return null;
		}

		@Override
		public List<Outcome> handle(List<Work> batch) {
			this.threads.add(Thread.currentThread());
			if (this.failing) {
				throw new IllegalStateException("told to fail");
			}
			return batch.stream().map((work) -> Outcome.DONE).toList();
		}

	}

}
