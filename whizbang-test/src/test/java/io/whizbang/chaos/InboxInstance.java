package io.whizbang.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.inbox.InboxProcessor;
import io.whizbang.inbox.InboxSettings;
import io.whizbang.inbox.JdbcHandledMessages;
import io.whizbang.inbox.Receptors;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.JdbcOutbox;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.WorkListener;
import io.whizbang.work.WorkSignal;
import io.whizbang.worker.Membership;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerLifecycle;
import io.whizbang.worker.WorkerSettings;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * The real worker of the inbox with two receptors, a pool, threads and a fate of its own,
 * as a process would have.
 */
final class InboxInstance {

	private static final int CONCURRENCY = 3;

	private final Fate fate = new Fate();

	private final ExecutorService executor = Executors.newFixedThreadPool(CONCURRENCY + 1);

	private final HikariDataSource pool;

	private final Sessions sessions;

	private final WorkerLifecycle lifecycle;

	InboxInstance(String name, ChaosDatabase database, Acceptances acceptances, Findings findings, Random random) {
		this.pool = database.database().createPool(CONCURRENCY + 1);
		this.sessions = new Sessions(this.pool);
		AttackedCoordinator coordinator = new AttackedCoordinator(
				new JdbcWorkCoordinator(this.sessions, ChaosDatabase.SCHEMA, Instance.RULES), this.fate, acceptances,
				findings, true);
		Membership membership = new Membership(coordinator, Instance.RULES,
				new InstanceInfo("chaos", name, 0, Map.of()), Queue.INBOX);
		InboxProcessor processor = processor(random);
		WorkPump pump = new WorkPump(new QueueWork(Queue.INBOX, processor, processor, WorkListener.NONE), membership,
				settings(random), this.executor, () -> false);
		this.lifecycle = new WorkerLifecycle(List.of(new Worker(pump)), null, null);
	}

	private InboxProcessor processor(Random random) {
		JdbcOutbox outbox = new JdbcOutbox(
				new TransactionalStore(this.sessions, new JdbcMessageStore(ChaosDatabase.SCHEMA), Queue.OUTBOX, true,
						WorkSignal.NONE),
				new JsonMessageCodec(JsonMapper.shared()), TopicCheck.NONE, MessageObservations.NONE);
		Receptors receptors = new Receptors();
		for (String name : List.of("a", "b")) {
			receptors.add(name,
					new EffectReceptor(name, this.sessions, outbox, this.fate, new Random(random.nextLong())));
		}
		InboxSettings settings = InboxSettings.defaults()
			.withRetry(RetryPolicy.defaults()
				.withMaxAttempts(10_000)
				.withDelays(Duration.ofMillis(10), Duration.ofMillis(50)));
		ForgetfulTransactions transactions = new ForgetfulTransactions(this.sessions, new Random(random.nextLong()));
		// Some handle each message in a transaction of its own, as with JPA.
		transactions.setNestedTransactionAllowed(random.nextInt(3) > 0);
		return new InboxProcessor(receptors, new JsonMessageCodec(JsonMapper.shared()), settings, transactions,
				new JdbcHandledMessages(this.sessions, ChaosDatabase.SCHEMA, false), MessageObservations.NONE,
				WorkListener.NONE);
	}

	private static WorkerSettings settings(Random random) {
		return WorkerSettings.defaults()
			.withBatchSize(20 + random.nextInt(130))
			.withConcurrency(CONCURRENCY)
			.withHandOver(1 + random.nextInt(30))
			.withHandlerTimeout(Duration.ofSeconds(1))
			.withPoll(Duration.ofMillis(5), Duration.ofMillis(50), Duration.ofMillis(50))
			.withDrainTimeout(Duration.ofSeconds(5));
	}

	void join() {
		this.lifecycle.start();
	}

	void pause(Duration time) {
		this.fate.pause(time);
	}

	void goOn() {
		this.fate.goOn();
	}

	void cut(JdbcTemplate jdbc) {
		this.sessions.cut(jdbc);
	}

	/** Ends everything at once; {@link #leave()} then only tidies up. */
	void kill(JdbcTemplate jdbc) {
		this.fate.kill();
		this.sessions.cut(jdbc);
	}

	/** Stops the worker in good order; takes its time. */
	void leave() {
		this.lifecycle.stop();
		this.executor.shutdownNow();
		this.pool.close();
	}

	/**
	 * Now and then the answer to a commit is lost on the way.
	 */
	private static final class ForgetfulTransactions extends JdbcTransactionManager {

		private final transient Random random;

		ForgetfulTransactions(Sessions sessions, Random random) {
			super(sessions);
			this.random = random;
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			super.doCommit(status);
			if (this.random.nextInt(50) == 0) {
				throw new TransactionSystemException("The answer to the commit was lost");
			}
		}

	}

}
