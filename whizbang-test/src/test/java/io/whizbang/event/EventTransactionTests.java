package io.whizbang.event;

import java.util.List;

import javax.sql.DataSource;

import io.whizbang.event.EventFixture.Broken;
import io.whizbang.event.EventFixture.Paid;
import io.whizbang.message.PayloadException;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresServer;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@PostgresTest
class EventTransactionTests {

	private final DataSource dataSource;

	private final EventFixture fixture;

	private final EventStore store;

	private final JdbcTransactionManager manager;

	private final TransactionTemplate required;

	private final TransactionTemplate requiresNew;

	private final TransactionTemplate nested;

	EventTransactionTests(PostgresDatabase database) {
		this.dataSource = database.dataSource();
		this.fixture = new EventFixture(database, this.dataSource);
		this.store = this.fixture.store;
		this.manager = new JdbcTransactionManager(this.dataSource);
		this.required = template(TransactionDefinition.PROPAGATION_REQUIRED);
		this.requiresNew = template(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.nested = template(TransactionDefinition.PROPAGATION_NESTED);
	}

	private TransactionTemplate template(int propagation) {
		TransactionTemplate template = new TransactionTemplate(this.manager);
		template.setPropagationBehavior(propagation);
		return template;
	}

	@AfterEach
	void nothingIsLeftOnTheThread() {
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
		assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isFalse();
	}

	@Test
	void commitsEventsWithTheTransaction() {
		this.required.executeWithoutResult((status) -> {
			new JdbcTemplate(this.dataSource).update("insert into thing values ('a')");
			this.store.append("A", ExpectedVersion.none(), new Paid(1));
			assertThat(this.store.read("A")).as("seen inside").hasSize(1);
			assertThat(this.fixture.versions("A")).as("seen outside").isEmpty();
			this.store.append("A", ExpectedVersion.exactly(1), new Paid(2));
		});
		assertThat(this.fixture.versions("A")).containsExactly(1L, 2L);
		assertThat(this.fixture.things()).containsExactly("a");
	}

	@Test
	void leavesNothingWhenTheTransactionRollsBack() {
		this.store.append("A", ExpectedVersion.none(), new Paid(1));
		this.required.executeWithoutResult((status) -> {
			this.store.append("A", ExpectedVersion.exactly(1), new Paid(2));
			this.store.append("B", ExpectedVersion.none(), new Paid(1));
			status.setRollbackOnly();
		});
		assertThat(this.fixture.versions("A")).containsExactly(1L);
		assertThat(this.fixture.standing("B")).isEmpty();
		assertThat(this.store.append("A", ExpectedVersion.exactly(1), new Paid(2)).lastVersion()).isEqualTo(2);
	}

	@Test
	void dropsWhatWasAppendedSinceASavepointThatIsRolledBack() {
		this.required.executeWithoutResult((outer) -> {
			this.store.append("A", ExpectedVersion.any(), new Paid(1));
			this.nested.executeWithoutResult((inner) -> {
				this.store.append("A", ExpectedVersion.any(), new Paid(-1), new Paid(-2));
				this.store.append("B", ExpectedVersion.none(), new Paid(-3));
				inner.setRollbackOnly();
			});
			assertThat(this.store.append("A", ExpectedVersion.exactly(1), new Paid(2)).lastVersion()).isEqualTo(2);
		});
		assertThat(this.store.readAll(0, 10).map(StoredEvent::payload)).containsExactly(new Paid(1), new Paid(2));
		assertThat(this.store.info("B").exists()).isFalse();
	}

	@Test
	void keepsTheInnerTransactionWhenTheOuterOneRollsBack() {
		this.required.executeWithoutResult((outer) -> {
			this.store.append("A", ExpectedVersion.any(), new Paid(1));
			this.requiresNew
				.executeWithoutResult((inner) -> this.store.append("B", ExpectedVersion.any(), new Paid(2)));
			outer.setRollbackOnly();
		});
		assertThat(this.store.readAll(0, 10).map(StoredEvent::payload)).containsExactly(new Paid(2));
	}

	@Test
	void appendsAtOnceWhereTheTransactionIsSuspended() {
		this.required.executeWithoutResult((outer) -> {
			this.store.append("A", ExpectedVersion.any(), new Paid(1));
			template(TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
				.executeWithoutResult((none) -> this.store.append("B", ExpectedVersion.any(), new Paid(2)));
			assertThat(this.fixture.versions("B")).containsExactly(1L);
			outer.setRollbackOnly();
		});
		assertThat(this.store.readAll(0, 10)).hasSize(1);
	}

	@Test
	void goesOnInTheSameTransactionAfterAConflict() {
		this.store.append("A", ExpectedVersion.none(), new Paid(1));
		this.required.executeWithoutResult((status) -> {
			new JdbcTemplate(this.dataSource).update("insert into thing values ('before')");
			assertThatExceptionOfType(OptimisticConcurrencyException.class)
				.isThrownBy(() -> this.store.append("A", ExpectedVersion.none(), new Paid(2)));
			assertThatExceptionOfType(OptimisticConcurrencyException.class).isThrownBy(
					() -> this.store.appendAll(List.of(StreamAppend.of("A", ExpectedVersion.none(), new Paid(2)),
							StreamAppend.of("B", ExpectedVersion.none(), new Paid(2)))));
			assertThatExceptionOfType(PayloadException.class)
				.isThrownBy(() -> this.store.append("A", ExpectedVersion.any(), Broken.create()));
			assertThatExceptionOfType(OptimisticConcurrencyException.class)
				.isThrownBy(() -> this.store.append("C", ExpectedVersion.exactly(1), new Paid(2)));
			assertThat(this.store.info("C").exists()).isFalse();
			this.store.append("A", ExpectedVersion.exactly(1), new Paid(3));
		});
		assertThat(this.fixture.things()).containsExactly("before");
		assertThat(this.store.readAll(0, 10).map(StoredEvent::payload)).containsExactly(new Paid(1), new Paid(3));
		assertThat(this.fixture.standing("B")).isEmpty();
		assertThat(this.fixture.standing("C")).isEmpty();
	}

	@Test
	void joinsTheTransactionAlsoThroughAProxyThatKnowsAboutTransactions(PostgresDatabase database) {
		EventStore other = new EventFixture(database, new TransactionAwareDataSourceProxy(this.dataSource)).store;
		this.required.executeWithoutResult((status) -> {
			other.append("A", ExpectedVersion.any(), new Paid(1));
			status.setRollbackOnly();
		});
		assertThat(this.fixture.versions("A")).isEmpty();
	}

	@Test
	void refusesAReadOnlyTransaction() {
		this.required.setReadOnly(true);
		this.required.executeWithoutResult((status) -> {
			assertThatIllegalStateException()
				.isThrownBy(() -> this.store.append("A", ExpectedVersion.any(), new Paid(1)))
				.withMessageContaining("Cannot append in the read-only transaction")
				.withMessageContaining("the event could not be stored");
			assertThat(this.store.read("A")).isEmpty();
		});
	}

	@Test
	void refusesATransactionOfAnotherDatabase(PostgresServer server) {
		try (PostgresDatabase other = server.createDatabase("other")) {
			new TransactionTemplate(new JdbcTransactionManager(other.dataSource()))
				.executeWithoutResult((status) -> assertThatIllegalStateException()
					.isThrownBy(() -> this.store.append("A", ExpectedVersion.any(), new Paid(1)))
					.withMessageContaining("so the event could outlive its rollback"));
		}
		assertThat(this.fixture.versions("A")).isEmpty();
	}

	@Test
	void refusesATransactionThatNobodyIsToldAbout() {
		this.manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		this.required.executeWithoutResult((status) -> assertThatIllegalStateException()
			.isThrownBy(() -> this.store.append("A", ExpectedVersion.any(), new Paid(1)))
			.withMessageContaining("SYNCHRONIZATION_NEVER"));
	}

	@Test
	void appendsInATransactionOfItsOwnAfterTheCompletionOfAnother() {
		this.required.executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCompletion(int completion) {
					EventTransactionTests.this.store.append("A", ExpectedVersion.any(), new Paid(1));
				}
			});
			status.setRollbackOnly();
		});
		assertThat(this.fixture.versions("A")).containsExactly(1L);
	}

	@Test
	void letsOthersWaitForTheStreamUntilTheCommit() throws Exception {
		Thread[] waiting = new Thread[1];
		this.required.executeWithoutResult((status) -> {
			this.store.append("A", ExpectedVersion.any(), new Paid(1));
			waiting[0] = new Thread(() -> this.store.append("A", ExpectedVersion.any(), new Paid(2)));
			waiting[0].start();
			Await.until("the other append to wait", () -> this.fixture.committed()
				.queryForObject("select count(*) from pg_locks where not granted", Long.class) == 1);
			this.store.append("A", ExpectedVersion.exactly(1), new Paid(3));
		});
		waiting[0].join();
		assertThat(this.store.read("A").map(StoredEvent::payload)).containsExactly(new Paid(1), new Paid(3),
				new Paid(2));
	}

}
