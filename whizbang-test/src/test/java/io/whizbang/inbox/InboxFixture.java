package io.whizbang.inbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.JdbcOutbox;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.DatabaseClock;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;
import io.whizbang.work.WorkListener;
import io.whizbang.work.WorkSignal;
import io.whizbang.worker.QueueWork;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An inbox on a database of the test's own, a worker driven by hand, and a view of what
 * is committed there.
 */
final class InboxFixture implements AutoCloseable, WorkListener {

	static final String SOURCE = "test";

	private static final String SCHEMA = "whizbang";

	private static final Set<String> INSTALLED = ConcurrentHashMap.newKeySet();

	final DataSource dataSource;

	final JdbcTemplate jdbc;

	final DatabaseClock clock;

	final CoordinatorSettings rules;

	final Receptors receptors = new Receptors();

	final Outbox outbox;

	final JdbcInbox inbox;

	final TransactionTemplate transaction;

	final List<String> received = new ArrayList<>();

	final List<Work> unhandled = new ArrayList<>();

	private final List<ManualWorker> workers = new ArrayList<>();

	private InboxSettings settings = InboxSettings.defaults()
		.withRetry(RetryPolicy.defaults().withMaxAttempts(3).withDelays(Duration.ofSeconds(1), Duration.ofSeconds(1)));

	InboxFixture(PostgresDatabase database) {
		this(database, CoordinatorSettings.defaults());
	}

	InboxFixture(PostgresDatabase database, CoordinatorSettings rules) {
		this.rules = rules;
		this.dataSource = database.dataSource();
		this.jdbc = new JdbcTemplate(database.unpooledDataSource());
		if (INSTALLED.add(database.name())) {
			new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
			this.jdbc.execute("create table thing (name text, receptor text)");
		}
		this.jdbc.execute(
				"""
						truncate whizbang.wh_messages, whizbang.wh_message_deduplication, whizbang.wh_receptor_processing,
						    whizbang.wh_claims, whizbang.wh_dead_letters, whizbang.wh_dead_letter_audit, whizbang.wh_completed, whizbang.wh_service_instances, whizbang.wh_perspective_members, thing;
						update whizbang.wh_epoch set epoch = epoch + 1, members = '{}', low = 0, claim_low = 0""");
		this.clock = new DatabaseClock(this.dataSource);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(this.dataSource));
		this.outbox = new JdbcOutbox(store(Queue.OUTBOX), new JsonMessageCodec(JsonMapper.shared()), TopicCheck.NONE,
				MessageObservations.NONE);
		this.inbox = inbox(this.settings);
	}

	private TransactionalStore store(Queue queue) {
		return new TransactionalStore(this.dataSource, new JdbcMessageStore(SCHEMA), queue, true, WorkSignal.NONE);
	}

	JdbcInbox inbox(InboxSettings settings) {
		return new JdbcInbox(this.dataSource, SCHEMA, store(Queue.INBOX), settings, this, MessageObservations.NONE);
	}

	void settings(InboxSettings settings) {
		this.settings = settings;
	}

	InboxSettings settings() {
		return this.settings;
	}

	/** A worker with the transactions of plain JDBC. */
	ManualWorker worker() {
		return worker(new JdbcTransactionManager(this.dataSource));
	}

	ManualWorker worker(PlatformTransactionManager transactions) {
		return worker(processor(transactions));
	}

	InboxProcessor processor(PlatformTransactionManager transactions) {
		return processor(transactions, MessageObservations.NONE);
	}

	InboxProcessor processor(PlatformTransactionManager transactions, MessageObservations observations) {
		return new InboxProcessor(this.receptors, new JsonMessageCodec(JsonMapper.shared()), this.settings,
				transactions, new JdbcHandledMessages(this.dataSource, SCHEMA, this.rules.debug(), this.clock),
				observations, this);
	}

	ManualWorker worker(InboxProcessor processor) {
		ManualWorker worker = new ManualWorker(new QueueWork(Queue.INBOX, processor, processor, WorkListener.NONE),
				coordinator(), this.rules);
		this.workers.add(worker);
		return worker;
	}

	JdbcWorkCoordinator coordinator() {
		return new JdbcWorkCoordinator(this.dataSource, SCHEMA, this.rules, this.clock);
	}

	/** A message of the type {@code Order} whose payload is its name. */
	static IncomingMessage message(String name) {
		return message(name, null);
	}

	static IncomingMessage message(String name, String stream) {
		return IncomingMessage.from(SOURCE, name)
			.topic("orders")
			.type("Order")
			.stream(stream)
			.payload("{\"name\":\"%s\"}".formatted(name))
			.build();
	}

	void receive(String... names) {
		this.inbox.receiveAll(Stream.of(names).map(InboxFixture::message).toList());
	}

	/** What receptors have written and committed, as "receptor:name". */
	List<String> things() {
		return this.jdbc.queryForList("select receptor || ':' || name from thing order by 1", String.class);
	}

	/** Writes a thing in the current transaction, if there is one. */
	void write(String receptor, String name) {
		new JdbcTemplate(this.dataSource).update("insert into thing (name, receptor) values (?, ?)", name, receptor);
	}

	List<String> waiting() {
		return this.jdbc.queryForList("select headers ->> 'whizbang-source-id' from whizbang.wh_inbox order by seq",
				String.class);
	}

	List<String> emitted() {
		return this.jdbc.queryForList("select topic from whizbang.wh_outbox order by seq", String.class);
	}

	List<Map<String, Object>> deadLetters() {
		return this.jdbc.queryForList("select * from whizbang.wh_dead_letters order by dead_letter_id");
	}

	/** Receptors that are remembered, as "name:receptor:status". */
	List<String> recorded() {
		return this.jdbc.queryForList(
				"select receptor || ':' || status from whizbang.wh_receptor_processing order by 1", String.class);
	}

	int number(String sql, Object... arguments) {
		Integer number = this.jdbc.queryForObject(sql, Integer.class, arguments);
		return (number != null) ? number : -1;
	}

	/** Adds a receptor of orders. */
	RecordingReceptor receptor(String name) {
		return receptor(name, true);
	}

	RecordingReceptor receptor(String name, boolean transactional) {
		RecordingReceptor receptor = new RecordingReceptor(this, name, transactional);
		this.receptors.add(name, receptor);
		return receptor;
	}

	@Override
	public void received(Queue queue, int accepted, int duplicates, int conflicts) {
		this.received.add("%d/%d/%d".formatted(accepted, duplicates, conflicts));
	}

	@Override
	public void unhandled(Queue queue, Work work) {
		this.unhandled.add(work);
	}

	static Collection<IncomingMessage> messages(int count) {
		return Stream.iterate(1, (n) -> n + 1).limit(count).map((n) -> message("m" + n)).toList();
	}

	@Override
	public void close() {
		this.workers.forEach(ManualWorker::close);
	}

}
