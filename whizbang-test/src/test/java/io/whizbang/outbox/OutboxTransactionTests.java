package io.whizbang.outbox;

import javax.sql.DataSource;

import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresServer;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataIntegrityViolationException;
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
@ExtendWith(OutputCaptureExtension.class)
class OutboxTransactionTests {

	private final CountingDataSource dataSource;

	private final OutboxFixture fixture;

	private final Outbox outbox;

	private final JdbcTransactionManager manager;

	private final TransactionTemplate required;

	private final TransactionTemplate requiresNew;

	private final TransactionTemplate nested;

	OutboxTransactionTests(PostgresDatabase database) {
		this.dataSource = new CountingDataSource(database.dataSource());
		this.fixture = new OutboxFixture(database, this.dataSource);
		this.outbox = this.fixture.outbox;
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
	void dropsWhatWasEnqueuedSinceASavepointThatIsRolledBack() {
		this.required.executeWithoutResult((outer) -> {
			this.outbox.enqueue("before", 1);
			this.nested.executeWithoutResult((inner) -> {
				this.outbox.enqueue("inside", 1);
				inner.setRollbackOnly();
			});
			this.outbox.enqueue("after", 1);
		});
		assertThat(this.fixture.topics()).containsExactly("before", "after");
	}

	@Test
	void keepsWhatWasEnqueuedInASavepointThatIsReleased() {
		this.required.executeWithoutResult((outer) -> {
			this.outbox.enqueue("before", 1);
			this.nested.executeWithoutResult((inner) -> this.outbox.enqueue("inside", 1));
		});
		assertThat(this.fixture.topics()).containsExactly("before", "inside");
	}

	@Test
	void dropsEverythingWhenASavepointOlderThanTheFirstMessageIsRolledBack() {
		this.required.executeWithoutResult((outer) -> {
			this.nested.executeWithoutResult((inner) -> {
				this.outbox.enqueue("inside", 1);
				inner.setRollbackOnly();
			});
			this.outbox.enqueue("after", 1);
		});
		assertThat(this.fixture.topics()).containsExactly("after");
	}

	@Test
	void dropsReleasedInnerSavepointsWithTheOuterOne() {
		this.required.executeWithoutResult((outer) -> {
			this.outbox.enqueue("before", 1);
			this.nested.executeWithoutResult((middle) -> {
				this.outbox.enqueue("middle", 1);
				this.nested.executeWithoutResult((inner) -> this.outbox.enqueue("inner", 1));
				middle.setRollbackOnly();
			});
		});
		assertThat(this.fixture.topics()).containsExactly("before");
	}

	@Test
	void followsSavepointsThatAreMadeByHand() {
		this.required.executeWithoutResult((status) -> {
			this.outbox.enqueue("a", 1);
			Object savepoint = status.createSavepoint();
			this.outbox.enqueue("b", 1);
			status.rollbackToSavepoint(savepoint);
			this.outbox.enqueue("c", 1);
			status.rollbackToSavepoint(savepoint);
			this.outbox.enqueue("d", 1);
		});
		assertThat(this.fixture.topics()).containsExactly("a", "d");
	}

	@Test
	void keepsTheInnerTransactionWhenTheOuterOneRollsBack() {
		this.required.executeWithoutResult((outer) -> {
			this.outbox.enqueue("outer", 1);
			this.requiresNew.executeWithoutResult((inner) -> this.outbox.enqueue("inner", 1));
			assertThat(this.fixture.topics()).containsExactly("inner");
			this.outbox.enqueue("outer", 2);
			outer.setRollbackOnly();
		});
		assertThat(this.fixture.topics()).containsExactly("inner");
	}

	@Test
	void keepsTheOuterTransactionWhenTheInnerOneRollsBack() {
		this.required.executeWithoutResult((outer) -> {
			this.outbox.enqueue("outer", 1);
			this.requiresNew.executeWithoutResult((inner) -> {
				this.outbox.enqueue("inner", 1);
				inner.setRollbackOnly();
			});
			this.outbox.enqueue("outer", 2);
		});
		assertThat(this.fixture.payloads()).containsExactly("1", "2");
		assertThat(this.fixture.topics()).containsOnly("outer");
	}

	@Test
	void storesAtOnceWhereTheTransactionIsSuspended() {
		this.required.executeWithoutResult((outer) -> {
			this.outbox.enqueue("outer", 1);
			template(TransactionDefinition.PROPAGATION_NOT_SUPPORTED).executeWithoutResult((none) -> {
				this.outbox.enqueue("beside", 1);
				assertThat(this.fixture.topics()).containsExactly("beside");
			});
			outer.setRollbackOnly();
		});
		assertThat(this.fixture.topics()).containsExactly("beside");
	}

	@Test
	void storesAtOnceInAnEmptyTransaction() {
		template(TransactionDefinition.PROPAGATION_SUPPORTS).executeWithoutResult((none) -> {
			new JdbcTemplate(this.dataSource).queryForObject("select 1", Integer.class);
			this.outbox.enqueue("beside", 1);
			assertThat(this.fixture.topics()).containsExactly("beside");
		});
	}

	@Test
	void joinsTheTransactionAlsoThroughAProxyThatKnowsAboutTransactions(PostgresDatabase database) {
		DataSource proxy = new TransactionAwareDataSourceProxy(this.dataSource);
		OutboxFixture other = new OutboxFixture(database, proxy);
		this.required.executeWithoutResult((status) -> {
			other.outbox.enqueue("a", 1);
			status.setRollbackOnly();
		});
		assertThat(other.topics()).isEmpty();
		this.required.executeWithoutResult((status) -> other.outbox.enqueue("a", 1));
		assertThat(other.topics()).containsExactly("a");
	}

	@Test
	void refusesAReadOnlyTransactionAtOnce() {
		this.required.setReadOnly(true);
		this.required.executeWithoutResult(
				(status) -> assertThatIllegalStateException().isThrownBy(() -> this.outbox.enqueue("a", 1))
					.withMessageContaining("read-only")
					.withMessageContaining("REQUIRES_NEW"));
		assertThat(this.fixture.topics()).isEmpty();
	}

	@Test
	void refusesATransactionOfAnotherDatabase(PostgresServer server) {
		try (PostgresDatabase other = server.createDatabase("other")) {
			TransactionTemplate foreign = new TransactionTemplate(new JdbcTransactionManager(other.dataSource()));
			foreign.executeWithoutResult(
					(status) -> assertThatIllegalStateException().isThrownBy(() -> this.outbox.enqueue("a", 1))
						.withMessageContaining("outlive its rollback"));
			foreign.executeWithoutResult((status) -> {
				// Binds a connection of the outbox's database beside the foreign
				// transaction.
				new JdbcTemplate(this.dataSource).queryForObject("select 1", Integer.class);
				assertThatIllegalStateException().isThrownBy(() -> this.outbox.enqueue("a", 1))
					.withMessageContaining("outlive its rollback");
			});
		}
		assertThat(this.fixture.topics()).isEmpty();
	}

	@Test
	void refusesATransactionThatNobodyIsToldAbout() {
		this.manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		this.required.executeWithoutResult(
				(status) -> assertThatIllegalStateException().isThrownBy(() -> this.outbox.enqueue("a", 1))
					.withMessageContaining("SYNCHRONIZATION_NEVER"));
	}

	@Test
	void storesAFirstMessageThatIsEnqueuedJustBeforeTheCommit() {
		this.required.executeWithoutResult((status) -> TransactionSynchronizationManager
			.registerSynchronization(beforeCommit(() -> this.outbox.enqueue("late", 1))));
		assertThat(this.fixture.topics()).containsExactly("late");
		assertThat(this.fixture.signals()).hasSize(1);
	}

	@Test
	void rollsBackAFirstMessageThatIsEnqueuedJustBeforeACommitThatFails() {
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.required.executeWithoutResult((status) -> {
				TransactionSynchronizationManager
					.registerSynchronization(beforeCommit(() -> this.outbox.enqueue("late", 1)));
				TransactionSynchronizationManager.registerSynchronization(beforeCommit(() -> {
					throw new UnsupportedOperationException();
				}));
			}));
		assertThat(this.fixture.topics()).isEmpty();
	}

	@Test
	void storesMessagesThatAreEnqueuedAfterTheOthersWereWritten() {
		this.required.executeWithoutResult((status) -> {
			this.outbox.enqueue("early", 1);
			TransactionSynchronizationManager
				.registerSynchronization(beforeCommit(() -> this.outbox.enqueue("late", 1)));
		});
		assertThat(this.fixture.topics()).containsExactly("early", "late");
		assertThat(this.dataSource.statements()).hasSize(2);
	}

	@Test
	void failsTheCommitWhenMessagesCannotBeWritten() {
		this.fixture.committed().execute("alter table whizbang.wh_outbox add constraint no_bad check (topic <> 'bad')");
		try {
			assertThatExceptionOfType(DataIntegrityViolationException.class)
				.isThrownBy(() -> this.required.executeWithoutResult((status) -> {
					new JdbcTemplate(this.dataSource).update("insert into thing values ('a')");
					this.outbox.enqueue("bad", 1);
				}));
			assertThatExceptionOfType(RuntimeException.class)
				.isThrownBy(() -> this.required.executeWithoutResult((status) -> {
					new JdbcTemplate(this.dataSource).update("insert into thing values ('b')");
					TransactionSynchronizationManager
						.registerSynchronization(beforeCommit(() -> this.outbox.enqueue("bad", 1)));
				}));
		}
		finally {
			this.fixture.committed().execute("alter table whizbang.wh_outbox drop constraint no_bad");
		}
		assertThat(this.fixture.things()).isEmpty();
		assertThat(this.fixture.topics()).isEmpty();
	}

	@Test
	void storesWhatIsEnqueuedAfterTheCommitInATransactionOfItsOwn(CapturedOutput output) {
		for (int i = 0; i < 2; i++) {
			this.required.executeWithoutResult((status) -> TransactionSynchronizationManager
				.registerSynchronization(afterCommit(() -> this.outbox.enqueue("after", 1))));
		}
		assertThat(this.fixture.topics()).containsExactly("after", "after");
		assertThat(this.fixture.signals()).hasSize(2);
		assertThat(output).containsOnlyOnce("enqueued after the commit");
	}

	@Test
	void storesWhatIsEnqueuedAfterTheCommitBesideEarlierMessages() {
		this.required.executeWithoutResult((status) -> {
			TransactionSynchronizationManager
				.registerSynchronization(afterCommit(() -> this.outbox.enqueue("after", 1)));
			this.outbox.enqueue("early", 1);
		});
		assertThat(this.fixture.topics()).containsExactly("early", "after");
	}

	@Test
	void storesWhatIsEnqueuedAfterCompletionWhateverTheOutcome() {
		this.required.executeWithoutResult((status) -> {
			this.outbox.enqueue("dropped", 1);
			TransactionSynchronizationManager
				.registerSynchronization(afterCompletion(() -> this.outbox.enqueue("compensation", 1)));
			status.setRollbackOnly();
		});
		this.required.executeWithoutResult((status) -> TransactionSynchronizationManager
			.registerSynchronization(afterCompletion(() -> this.outbox.enqueue("follow-up", 1))));
		assertThat(this.fixture.topics()).containsExactly("compensation", "follow-up");
	}

	@Test
	void tellsWhichMessagesAreLostWhenTheyCannotBeStoredAfterTheCommit(CapturedOutput output) {
		this.fixture.committed().execute("alter table whizbang.wh_outbox add constraint no_bad check (topic <> 'bad')");
		OutboxMessage message = OutboxMessage.to("bad", 1).build();
		try {
			this.required.executeWithoutResult((status) -> TransactionSynchronizationManager
				.registerSynchronization(afterCommit(() -> this.outbox.enqueue(message))));
		}
		finally {
			this.fixture.committed().execute("alter table whizbang.wh_outbox drop constraint no_bad");
		}
		assertThat(output).contains("they are lost: [" + message.id() + "]");
	}

	@Test
	void committedMessagesAreNotDeniedWhenTheSignalFails() {
		TransactionalStore store = new TransactionalStore(this.dataSource, new JdbcMessageStore("whizbang"),
				Queue.OUTBOX, true, (queue, hashes) -> {
					throw new IllegalStateException("told to fail");
				});
		JdbcOutbox deaf = new JdbcOutbox(store, new JsonMessageCodec(JsonMapper.shared()), TopicCheck.NONE,
				MessageObservations.NONE);
		this.required.executeWithoutResult((status) -> deaf.enqueue("a", 1));
		deaf.enqueue("b", 1);
		assertThat(this.fixture.topics()).containsExactly("a", "b");
	}

	private static TransactionSynchronization beforeCommit(Runnable action) {
		return new TransactionSynchronization() {
			@Override
			public void beforeCommit(boolean readOnly) {
				action.run();
			}
		};
	}

	private static TransactionSynchronization afterCommit(Runnable action) {
		return new TransactionSynchronization() {
			@Override
			public void afterCommit() {
				action.run();
			}
		};
	}

	private static TransactionSynchronization afterCompletion(Runnable action) {
		return new TransactionSynchronization() {
			@Override
			public void afterCompletion(int status) {
				action.run();
			}
		};
	}

}
