package io.whizbang.outbox;

import java.util.List;
import java.util.Map;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@PostgresTest
class JpaOutboxTests {

	private final CountingDataSource dataSource;

	private final OutboxFixture fixture;

	private final Outbox outbox;

	private final LocalContainerEntityManagerFactoryBean factoryBean;

	private final TransactionTemplate transaction;

	JpaOutboxTests(PostgresDatabase database) {
		this.dataSource = new CountingDataSource(database.dataSource());
		this.fixture = new OutboxFixture(database, this.dataSource);
		this.outbox = this.fixture.outbox;
		this.factoryBean = new LocalContainerEntityManagerFactoryBean();
		this.factoryBean.setDataSource(this.dataSource);
		this.factoryBean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
		this.factoryBean.setPackagesToScan(getClass().getPackageName());
		this.factoryBean.afterPropertiesSet();
		JpaTransactionManager manager = new JpaTransactionManager(this.factoryBean.getObject());
		manager.afterPropertiesSet();
		this.transaction = new TransactionTemplate(manager);
	}

	@AfterEach
	void close() {
		this.factoryBean.destroy();
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
	}

	@Test
	void commitsMessagesAndEntitiesTogether() {
		this.transaction.executeWithoutResult((status) -> {
			this.outbox.enqueue("orders", 1);
			entityManager().persist(new Thing("a"));
		});
		assertThat(this.fixture.topics()).containsExactly("orders");
		assertThat(this.fixture.things()).containsExactly("a");
		assertThat(this.fixture.signals()).hasSize(1);
	}

	@Test
	void rollsBackMessagesAndEntitiesTogether() {
		this.transaction.executeWithoutResult((status) -> {
			this.outbox.enqueue("orders", 1);
			entityManager().persist(new Thing("a"));
			status.setRollbackOnly();
		});
		assertThat(this.fixture.topics()).isEmpty();
		assertThat(this.fixture.things()).isEmpty();
	}

	@Test
	void writesEntitiesBeforeMessages() {
		this.transaction.executeWithoutResult((status) -> {
			this.outbox.enqueue("orders", 1);
			entityManager().persist(new Thing("a"));
		});
		assertThat(this.dataSource.statements()).filteredOn((sql) -> sql.contains("thing") || sql.contains("whizbang"))
			.satisfiesExactly((sql) -> assertThat(sql).contains("insert into thing"),
					(sql) -> assertThat(sql).contains("store_message"));
	}

	@Test
	void storesNothingWhenAnEntityCannotBeWritten() {
		this.fixture.committed().update("insert into thing values ('a')");
		assertThatExceptionOfType(DataIntegrityViolationException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.outbox.enqueue("orders", 1);
				entityManager().persist(new Thing("a"));
			}));
		assertThat(this.fixture.topics()).isEmpty();
	}

	@Test
	void keepsInnerAndOuterTransactionsApart() {
		TransactionTemplate requiresNew = new TransactionTemplate(this.transaction.getTransactionManager());
		requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transaction.executeWithoutResult((outer) -> {
			this.outbox.enqueue("outer", 1);
			requiresNew.executeWithoutResult((inner) -> {
				this.outbox.enqueue("inner", 1);
				entityManager().persist(new Thing("inner"));
			});
			entityManager().persist(new Thing("outer"));
			outer.setRollbackOnly();
		});
		assertThat(this.fixture.topics()).containsExactly("inner");
		assertThat(this.fixture.things()).containsExactly("inner");
	}

	@Test
	void storesAtOnceWhereTheTransactionIsSuspended() {
		TransactionTemplate notSupported = new TransactionTemplate(this.transaction.getTransactionManager());
		notSupported.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
		this.transaction.executeWithoutResult((outer) -> {
			this.outbox.enqueue("outer", 1);
			notSupported.executeWithoutResult((none) -> this.outbox.enqueue("beside", 1));
			outer.setRollbackOnly();
		});
		assertThat(this.fixture.topics()).containsExactly("beside");
	}

	@Test
	void sharesTheTransactionWithPlainJdbc() {
		this.transaction.executeWithoutResult((status) -> {
			new JdbcTemplate(this.dataSource).update("insert into thing values ('jdbc')");
			entityManager().persist(new Thing("jpa"));
			this.outbox.enqueue("orders", 1);
		});
		assertThat(this.fixture.things()).containsExactly("jdbc", "jpa");
		assertThat(this.fixture.topics()).containsExactly("orders");
	}

	@Test
	void refusesAReadOnlyTransactionAtOnce() {
		this.transaction.setReadOnly(true);
		this.transaction.executeWithoutResult(
				(status) -> assertThatIllegalStateException().isThrownBy(() -> this.outbox.enqueue("a", 1))
					.withMessageContaining("read-only"));
	}

	@Test
	void storesWhatIsEnqueuedAfterTheCommit() {
		this.transaction.executeWithoutResult(
				(status) -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
					@Override
					public void afterCommit() {
						JpaOutboxTests.this.outbox.enqueue("after commit", 1);
					}

					@Override
					public void afterCompletion(int status) {
						JpaOutboxTests.this.outbox.enqueue("after completion", 1);
					}
				}));
		assertThat(this.fixture.topics()).containsExactlyInAnyOrder("after commit", "after completion");
	}

	@Test
	void failsTheCommitWhenAMessageThatCameLateCannotBeWritten() {
		this.fixture.committed().execute("alter table whizbang.wh_outbox add constraint no_bad check (topic <> 'bad')");
		try {
			assertThatExceptionOfType(RuntimeException.class)
				.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
					entityManager().persist(new Thing("a"));
					TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
						@Override
						public void beforeCommit(boolean readOnly) {
							JpaOutboxTests.this.outbox.enqueue("bad", 1);
						}
					});
				}));
		}
		finally {
			this.fixture.committed().execute("alter table whizbang.wh_outbox drop constraint no_bad");
		}
		assertThat(this.fixture.things()).isEmpty();
		assertThat(this.fixture.topics()).isEmpty();
	}

	private EntityManager entityManager() {
		Map<Object, Object> resources = TransactionSynchronizationManager.getResourceMap();
		List<EntityManagerHolder> holders = resources.values()
			.stream()
			.filter(EntityManagerHolder.class::isInstance)
			.map(EntityManagerHolder.class::cast)
			.toList();
		assertThat(holders).hasSize(1);
		return holders.get(0).getEntityManager();
	}

	@Entity(name = "Thing")
	@Table(name = "thing")
	static class Thing {

		@Id
		private String name;

		protected Thing() {
		}

		Thing(String name) {
			this.name = name;
		}

		String getName() {
			return this.name;
		}

	}

}
