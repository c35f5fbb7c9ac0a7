package io.whizbang.inbox;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.message.Envelope;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.JdbcOutbox;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.work.WorkSignal;
import io.whizbang.worker.Membership;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerSettings;
import org.postgresql.ds.PGSimpleDataSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * A process that works on the inbox up to a moment, says on its output that it is there,
 * and does nothing more until it is killed.
 */
final class DoomedConsumer {

	/** What the process calls itself in the database. */
	static final String NAME = "doomed-consumer";

	/** What the process says when the moment has come. */
	static final String READY = "READY TO DIE";

	/** The message whose receptor does not return, when that is the moment. */
	static final String LAST_MESSAGE = "m3";

	static final String PASSWORD_VARIABLE = "DOOMED_CONSUMER_PASSWORD";

	private static final String SCHEMA = "whizbang";

	private final Moment moment;

	private DoomedConsumer(Moment moment) {
		this.moment = moment;
	}

	/**
	 * Starts the process.
	 * @param arguments URL and user of the database, and the moment
	 */
	public static void main(String[] arguments) {
		PGSimpleDataSource database = new PGSimpleDataSource();
		database.setUrl(arguments[0]);
		database.setUser(arguments[1]);
		database.setPassword(System.getenv(PASSWORD_VARIABLE));
		database.setApplicationName(NAME);
		HikariConfig config = new HikariConfig();
		config.setDataSource(database);
		config.setMaximumPoolSize(4);
		new DoomedConsumer(Moment.valueOf(arguments[2])).start(new HikariDataSource(config));
		awaitDeath();
	}

	private void start(DataSource dataSource) {
		JsonMessageCodec codec = new JsonMessageCodec(JsonMapper.shared());
		Outbox outbox = new JdbcOutbox(
				new TransactionalStore(dataSource, new JdbcMessageStore(SCHEMA), Queue.OUTBOX, true, WorkSignal.NONE),
				codec, TopicCheck.NONE, MessageObservations.NONE);
		Receptors receptors = new Receptors();
		receptors.add("a", new Orders(dataSource, outbox));
		InboxProcessor processor = new InboxProcessor(receptors, codec, InboxSettings.defaults(),
				new Transactions(dataSource), new JdbcHandledMessages(dataSource, SCHEMA, false),
				MessageObservations.NONE, WorkListener.NONE);
		CoordinatorSettings rules = CoordinatorSettings.defaults();
		Membership membership = new Membership(new JdbcWorkCoordinator(dataSource, SCHEMA, rules), rules,
				new InstanceInfo("test", "localhost", ProcessHandle.current().pid(), Map.of()), Queue.INBOX);
		new Worker(new WorkPump(new QueueWork(Queue.INBOX, processor, processor, WorkListener.NONE), membership,
				WorkerSettings.defaults().withConcurrency(1), Executors.newFixedThreadPool(2), () -> false))
			.start();
	}

	private void reach(Moment reached) {
		if (reached == this.moment) {
			System.out.println(READY);
			awaitDeath();
		}
	}

	/** Nobody writes to the input: it ends with the process that started this one. */
	private static void awaitDeath() {
		try {
			System.in.read();
		}
		catch (IOException ex) {
			System.err.println(ex);
		}
		finally {
			Runtime.getRuntime().halt(1);
		}
	}

	/**
	 * When the process is to be killed.
	 */
	enum Moment {

		/** Some messages are handled, in one transaction, and a receptor still runs. */
		WITHIN_A_RECEPTOR,

		/** Messages are handled and completed, and the transaction is still open. */
		BEFORE_THE_COMMIT,

		/** The transaction is committed, and the worker has not reported the messages. */
		BEFORE_THE_REPORT

	}

	private final class Orders implements Receptor<Map<String, String>> {

		private final JdbcTemplate jdbc;

		private final Outbox outbox;

		Orders(DataSource dataSource, Outbox outbox) {
			this.jdbc = new JdbcTemplate(dataSource);
			this.outbox = outbox;
		}

		@Override
		public void handle(Map<String, String> payload, Envelope envelope) {
			String name = payload.getOrDefault("name", "?");
			this.jdbc.update("insert into thing (name, receptor) values (?, 'a')", name);
			this.outbox.enqueue("done." + name, 1);
			if (name.equals(LAST_MESSAGE)) {
				reach(Moment.WITHIN_A_RECEPTOR);
			}
		}

		@Override
		public Set<String> topics() {
			return Set.of("orders");
		}

	}

	private final class Transactions extends JdbcTransactionManager {

		Transactions(DataSource dataSource) {
			super(dataSource);
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			reach(Moment.BEFORE_THE_COMMIT);
			super.doCommit(status);
			reach(Moment.BEFORE_THE_REPORT);
		}

	}

}
