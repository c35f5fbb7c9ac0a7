package io.whizbang.perspective;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.whizbang.event.EventCodec;
import io.whizbang.event.EventMetadataSource;
import io.whizbang.event.EventSignal;
import io.whizbang.event.EventStore;
import io.whizbang.event.EventStoreSettings;
import io.whizbang.event.EventTypes;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.event.JdbcEventStore;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.message.StreamId;
import io.whizbang.observation.EventObservations;
import io.whizbang.perspective.EntityPerspectiveTests.Account;
import io.whizbang.perspective.EntityPerspectiveTests.Moved;
import io.whizbang.perspective.EntityPerspectiveTests.Opened;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Entities and how far they have come commit together, in transactions of JPA and on
 * several instances. Every account gets one with each movement, so that its balance and
 * the version of its stream tell the same.
 */
@PostgresTest
class EntityPerspectiveWorkerTests {

	private static final int ACCOUNTS = 12;

	private static final EventTypes TYPES = EventTypes.of(Opened.class, Moved.class);

	private static final EventCodec CODEC = new EventCodec(TYPES, List.of(), new JsonMessageCodec(JsonMapper.shared()));

	private final PerspectiveFixture fixture;

	private final EventStore store;

	private final List<LocalContainerEntityManagerFactoryBean> factories = new ArrayList<>();

	EntityPerspectiveWorkerTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
		this.fixture.jdbc.execute("drop table if exists account; create table account (id text primary key, "
				+ "owner text, balance bigint not null constraint no_debts check (balance >= 0))");
		this.store = new JdbcEventStore(database.dataSource(), PerspectiveFixture.SCHEMA, CODEC,
				EventStoreSettings.defaults(), EventMetadataSource.NONE, null, EventObservations.NONE,
				EventSignal.NONE);
	}

	@AfterEach
	void close() {
		this.fixture.close();
		this.factories.forEach(LocalContainerEntityManagerFactoryBean::destroy);
	}

	@Test
	void twoInstancesAgreeWhateverFailsInBetween() {
		AtomicInteger calls = new AtomicInteger();
		Runnable trouble = () -> {
			if (calls.incrementAndGet() % 23 == 0) {
				throw new IllegalStateException("not this time");
			}
		};
		PerspectiveInstance first = start(trouble);
		PerspectiveInstance second = start(trouble);
		Await.until("each has half", () -> first.worker.shards() == 8 && second.worker.shards() == 8);
		open();
		for (int i = 0; i < 20; i++) {
			move(ACCOUNTS);
			assertThat(disagreements()).isZero();
		}
		awaitBalances(20);
		assertThat(disagreements()).isZero();
		assertThat(calls).as("calls with failures").hasValueGreaterThan(21 * ACCOUNTS);
	}

	@Test
	void anEntityThatTheDatabaseRefusesStopsItsStreamAloneAndGoesOnWhenItMay() {
		start(() -> {
		});
		open();
		move(ACCOUNTS);
		awaitBalances(1);
		this.store.append("account-0", ExpectedVersion.any(), new Moved(-5));
		Await.until("the failure", () -> status("account-0") == 1);
		move(ACCOUNTS);
		Await.until("the others go on",
				() -> this.fixture.count("select count(*) from account where balance = 2") == ACCOUNTS - 1);
		assertThat(disagreements()).isZero();
		assertThat(error("account-0")).contains("no_debts");
		this.fixture.jdbc.execute("alter table account drop constraint no_debts");
		Await.until("the stream follows", () -> status("account-0") == 0);
		assertThat(this.fixture.count("select balance from account where id = 'account-0'")).isEqualTo(-3);
		assertThat(this.fixture.count("select max(version) from whizbang.wh_perspective_checkpoints")).isEqualTo(4);
	}

	@Test
	void aRebuildInPlaceIsTheSameModelAgain() {
		PerspectiveInstance instance = start(() -> {
		});
		open();
		move(ACCOUNTS);
		awaitBalances(1);
		this.fixture.jdbc.update("update account set balance = 100");
		instance.perspectives.rebuild("ledger");
		awaitBalances(1);
		this.fixture.jdbc.update("update account set balance = 100");
		instance.perspectives.replay("ledger", StreamId.of("account-3"));
		Await.until("one is as it was",
				() -> this.fixture.count("select count(*) from account where id = 'account-3' and balance = 1") == 1);
		assertThat(this.fixture.count("select count(*) from account where balance = 100")).isEqualTo(ACCOUNTS - 1);
	}

	private void open() {
		names().forEach((name) -> this.store.append(name, ExpectedVersion.none(), new Opened("ada")));
	}

	private void move(int accounts) {
		names().stream()
			.limit(accounts)
			.forEach((name) -> this.store.append(name, ExpectedVersion.any(), new Moved(1)));
	}

	private static List<String> names() {
		return IntStream.range(0, ACCOUNTS).mapToObj((i) -> "account-" + i).toList();
	}

	private void awaitBalances(int balance) {
		Await.until(
				() -> "balances of " + balance + ": " + this.fixture.jdbc.queryForList("select * from account") + "; "
						+ this.fixture.standing(),
				() -> this.fixture.count("select count(*) from account where balance = ?", balance) == ACCOUNTS);
	}

	/** Accounts that are not as far as the checkpoint of their stream says. */
	private long disagreements() {
		return this.fixture.count("""
				select count(*)
				from whizbang.wh_perspective_checkpoints c join whizbang.wh_streams s using (stream_id)
				     full join account a on a.id = s.stream_key
				where coalesce(a.balance, -1) is distinct from c.version - 1""");
	}

	private int status(String stream) {
		return (int) this.fixture.count("""
				select coalesce(max(status), -1) from whizbang.wh_perspective_checkpoints where stream_id = ?""",
				StreamId.of(stream).value());
	}

	private String error(String stream) {
		return String.valueOf(this.fixture.jdbc.queryForObject(
				"select error from whizbang.wh_perspective_checkpoints where stream_id = ?", String.class,
				StreamId.of(stream).value()));
	}

	/** An instance with its own pool and its own entity manager factory. */
	private PerspectiveInstance start(Runnable before) {
		PerspectiveHandler ledger = scan(new Ledger(before));
		PerspectiveInstance instance = this.fixture.prepare(
				(usual) -> PerspectiveParts
					.of(usual.dataSource(), PerspectiveFixture.SCHEMA, transactions(usual.dataSource()), CODEC, TYPES,
							List.of(ledger))
					.with(PerspectiveFixture.SETTINGS));
		instance.worker.start();
		return instance;
	}

	private JpaTransactionManager transactions(DataSource dataSource) {
		LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
		factory.setDataSource(dataSource);
		factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
		factory.setPackagesToScan(getClass().getPackageName());
		factory.afterPropertiesSet();
		this.factories.add(factory);
		JpaTransactionManager transactions = new JpaTransactionManager(factory.getObject());
		transactions.afterPropertiesSet();
		return transactions;
	}

	private static PerspectiveHandler scan(Ledger ledger) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean(Ledger.class, () -> ledger);
		PerspectiveHandlers handlers = new PerspectiveHandlers();
		context.registerBean(PerspectiveScanner.class,
				() -> new PerspectiveScanner(context.getDefaultListableBeanFactory(), TYPES, handlers));
		context.refresh();
		return handlers.all().get(0);
	}

	@Perspective(name = "ledger")
	static class Ledger implements EntityPerspective<Account, String> {

		private final Runnable before;

		Ledger(Runnable before) {
			this.before = before;
		}

		@On
		Account opened(Opened event, StreamId stream) {
			return new Account(stream.key(), event.owner());
		}

		@On
		void moved(Moved event, Account account) {
			account.move(event.amount());
			this.before.run();
		}

	}

}
