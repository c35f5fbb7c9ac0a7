package io.whizbang.perspective;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import io.whizbang.event.EventMetadata;
import io.whizbang.event.EventType;
import io.whizbang.event.EventTypes;
import io.whizbang.event.StoredEvent;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@PostgresTest
class EntityPerspectiveTests {

	private static final EventTypes TYPES = EventTypes.of(Opened.class, Moved.class, Renamed.class, Closed.class);

	private static final PerspectiveRun RUN = new PerspectiveRun("accounts", 1, 1);

	private final JdbcTemplate jdbc;

	private final LocalContainerEntityManagerFactoryBean factoryBean = new LocalContainerEntityManagerFactoryBean();

	private final JpaTransactionManager transactions;

	private final PerspectiveHandler accounts = scan(Accounts.class);

	EntityPerspectiveTests(PostgresDatabase database) {
		this.jdbc = database.jdbc();
		this.jdbc.execute("drop table if exists account; create table account (id text primary key, owner text, "
				+ "balance bigint not null check (balance >= 0))");
		this.factoryBean.setDataSource(database.dataSource());
		this.factoryBean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
		this.factoryBean.setPackagesToScan(getClass().getPackageName());
		this.factoryBean.afterPropertiesSet();
		this.transactions = new JpaTransactionManager(this.factoryBean.getObject());
		this.transactions.afterPropertiesSet();
	}

	@AfterEach
	void close() {
		this.factoryBean.destroy();
	}

	@Test
	void keepsTheEntityThatAMethodReturns() {
		apply(this.accounts, event("A", new Opened("ada")), event("B", new Opened("bob")));
		assertThat(rows()).containsExactly("A ada 0", "B bob 0");
	}

	@Test
	void savesWhatAMethodChanges() {
		apply(this.accounts, event("A", new Opened("ada")), event("A", new Moved(5)));
		apply(this.accounts, event("A", new Moved(7)));
		assertThat(rows()).containsExactly("A ada 12");
	}

	@Test
	void deletesTheEntityWhenAMethodReturnsNone() {
		apply(this.accounts, event("A", new Opened("ada")), event("B", new Opened("bob")));
		apply(this.accounts, event("A", new Closed()));
		assertThat(rows()).containsExactly("B bob 0");
		apply(this.accounts, event("A", new Closed()));
	}

	@Test
	void createsAnewWhatWasDeletedInTheSameTransaction() {
		apply(this.accounts, event("A", new Opened("ada")));
		apply(this.accounts, event("A", new Closed()), event("A", new Opened("eve")), event("A", new Moved(1)),
				event("A", new Closed()), event("A", new Opened("zoe")));
		assertThat(rows()).containsExactly("A zoe 0");
	}

	@Test
	void replacesTheEntityByAnotherOne() {
		apply(this.accounts, event("A", new Opened("ada")), event("A", new Moved(5)));
		apply(this.accounts, event("A", new Renamed("eve")));
		assertThat(rows()).containsExactly("A eve 5");
	}

	@Test
	void givesNoEntityToAMethodThatReturnsTheFirst() {
		apply(this.accounts, event("A", new Renamed("eve")));
		assertThat(rows()).containsExactly("A eve 0");
	}

	@Test
	void failsWhenThereIsNothingToChange() {
		assertThatIllegalStateException().isThrownBy(() -> apply(this.accounts, event("A", new Moved(5))))
			.withMessageContaining("There is no Account with the id A")
			.withMessageContaining("\"moved\"")
			.withMessageContaining("implement create(id)");
	}

	@Test
	void createsWhatIsMissingWhenToldHow() {
		PerspectiveHandler owners = scan(Totals.class);
		apply(owners, event("A", new Moved(5)), event("B", new Moved(6)), event("C", new Moved(-1)));
		apply(owners, event("D", new Moved(1)));
		assertThat(rows()).containsExactly("minus null 1", "plus null 12");
	}

	@Test
	void rollsBackWithTheTransaction() {
		new TransactionTemplate(this.transactions).executeWithoutResult((status) -> {
			applyNow(this.accounts, event("A", new Opened("ada")));
			status.setRollbackOnly();
		});
		assertThat(rows()).isEmpty();
		assertThatExceptionOfType(DataIntegrityViolationException.class)
			.isThrownBy(() -> apply(this.accounts, event("A", new Opened("ada")), event("A", new Moved(-1))));
		assertThat(rows()).isEmpty();
	}

	@Test
	void resetDeletesAllEntities() {
		apply(this.accounts, event("A", new Opened("ada")), event("B", new Opened("bob")));
		transactionally(() -> this.accounts.reset(RUN));
		assertThat(rows()).isEmpty();
	}

	@Test
	void resetOfAStreamDeletesItsEntity() {
		apply(this.accounts, event("A", new Opened("ada")), event("B", new Opened("bob")));
		transactionally(() -> this.accounts.resetStream(StreamId.of("A"), RUN));
		assertThat(rows()).containsExactly("B bob 0");
		transactionally(() -> this.accounts.resetStream(StreamId.of("A"), RUN));
	}

	@Test
	void resetOfAStreamIsRefusedWhereEntitiesAreNotOfOneStream() {
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> scan(Totals.class).resetStream(StreamId.of("A"), RUN))
			.withMessageContaining("@OnReset");
	}

	@Test
	void refusesAnEntityWithAnotherId() {
		assertThatIllegalStateException().isThrownBy(() -> apply(scan(WrongId.class), event("A", new Opened("ada"))))
			.withMessageContaining("has the id wrong, but the event says A");
	}

	@Test
	void refusesTransactionsWithoutTheEntity() {
		PlatformTransactionManager other = new JdbcTransactionManager(this.jdbc.getDataSource());
		assertThatIllegalStateException()
			.isThrownBy(() -> new TransactionTemplate(other)
				.executeWithoutResult((status) -> applyNow(this.accounts, event("A", new Opened("ada")))))
			.withMessageContaining("There is no entity manager for")
			.withMessageContaining("JpaTransactionManager");
	}

	@Test
	void idsAreMadeFromStreams() {
		StreamId stream = StreamId.of(UUID.randomUUID());
		assertThat(new Accounts().idOf(stream)).isEqualTo(stream.key());
		assertThat(new Uuids().idOf(stream)).isEqualTo(stream.value());
	}

	@Test
	void refusesIdsThatNoStreamIs() {
		assertThatIllegalStateException().isThrownBy(() -> scan(Numbered.class))
			.withMessageContaining("must implement idOf(StoredEvent) or idOf(StreamId)");
	}

	@Test
	void refusesMethodsThatReturnSomethingElse() {
		assertThatIllegalStateException().isThrownBy(() -> scan(Returning.class))
			.withMessageContaining("must return void or Account");
	}

	@Test
	void refusesAnEntityPerspectiveWithoutAName() {
		assertThatIllegalStateException().isThrownBy(() -> scan(Nameless.class))
			.withMessageContaining("@Perspective(name");
	}

	private void apply(PerspectiveHandler handler, StoredEvent... events) {
		transactionally(() -> applyNow(handler, events));
	}

	private void transactionally(Runnable action) {
		new TransactionTemplate(this.transactions).executeWithoutResult((status) -> action.run());
	}

	private static void applyNow(PerspectiveHandler handler, StoredEvent... events) {
		try {
			handler.applyAll(List.of(events), RUN);
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	private List<String> rows() {
		return this.jdbc.queryForList(
				"select concat_ws(' ', id, coalesce(owner, 'null'), balance) from account order by id", String.class);
	}

	private static StoredEvent event(String stream, Object payload) {
		return new StoredEvent(1, StreamId.of(stream), 1, MessageId.next(), TYPES.nameOf(payload.getClass()).name(), 1,
				payload, EventMetadata.NONE, Instant.EPOCH);
	}

	private static PerspectiveHandler scan(Class<?> bean) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean(bean);
		PerspectiveHandlers handlers = new PerspectiveHandlers();
		context.registerBean(PerspectiveScanner.class,
				() -> new PerspectiveScanner(context.getDefaultListableBeanFactory(), TYPES, handlers));
		context.refresh();
		return handlers.all().get(0);
	}

	@EventType("opened")
	record Opened(String owner) {
	}

	@EventType("moved")
	record Moved(long amount) {
	}

	@EventType("renamed")
	record Renamed(String owner) {
	}

	@EventType("closed")
	record Closed() {
	}

	@Entity(name = "PerspectiveAccount")
	@Table(name = "account")
	static class Account {

		@Id
		private String id;

		private @Nullable String owner;

		@Column(nullable = false)
		private long balance;

		protected Account() {
			this("", null);
		}

		Account(String id, @Nullable String owner) {
			this.id = id;
			this.owner = owner;
		}

		void move(long amount) {
			this.balance += amount;
		}

		String getId() {
			return this.id;
		}

		@Nullable String getOwner() {
			return this.owner;
		}

		long getBalance() {
			return this.balance;
		}

	}

	@Perspective(name = "accounts")
	static class Accounts implements EntityPerspective<Account, String> {

		@On
		Account opened(Opened event, StreamId stream) {
			return new Account(stream.key(), event.owner());
		}

		@On
		void moved(Moved event, Account account) {
			account.move(event.amount());
		}

		@On
		Account renamed(Renamed event, @Nullable Account account, StreamId stream) {
			Account renamed = new Account(stream.key(), event.owner());
			renamed.move((account != null) ? account.getBalance() : 0);
			return renamed;
		}

		@On
		@Nullable Account closed(Closed event) {
			return null;
		}

	}

	@Perspective(name = "totals", global = true)
	static class Totals implements EntityPerspective<Account, String> {

		@Override
		public String idOf(StoredEvent event) {
			return (((Moved) event.payload()).amount() < 0) ? "minus" : "plus";
		}

		@Override
		public Account create(String id) {
			return new Account(id, null);
		}

		@On
		void moved(Moved event, Account total) {
			total.move(Math.abs(event.amount()));
		}

	}

	@Perspective(name = "accounts")
	static class WrongId implements EntityPerspective<Account, String> {

		@On
		Account opened(Opened event) {
			return new Account("wrong", event.owner());
		}

	}

	@Perspective(name = "accounts")
	static class Uuids implements EntityPerspective<Account, UUID> {

		@On
		void opened(Opened event) {
		}

	}

	@Perspective(name = "accounts")
	static class Numbered implements EntityPerspective<Account, Long> {

		@On
		void opened(Opened event) {
		}

	}

	@Perspective(name = "accounts")
	static class Returning implements EntityPerspective<Account, String> {

		@On
		String opened(Opened event) {
			return event.owner();
		}

	}

	static class Nameless implements EntityPerspective<Account, String> {

		@On
		void opened(Opened event) {
		}

	}

}
