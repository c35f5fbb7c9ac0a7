package io.whizbang.event;

import java.util.List;

import io.whizbang.event.EventFixture.Paid;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataIntegrityViolationException;
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
class JpaEventStoreTests {

	private final EventFixture fixture;

	private final EventStore store;

	private final LocalContainerEntityManagerFactoryBean factoryBean;

	private final TransactionTemplate transaction;

	JpaEventStoreTests(PostgresDatabase database) {
		this.fixture = new EventFixture(database, database.dataSource());
		this.store = this.fixture.publishing((type) -> "orders");
		this.factoryBean = new LocalContainerEntityManagerFactoryBean();
		this.factoryBean.setDataSource(database.dataSource());
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
	void commitsEventsEntitiesAndMessagesTogether() {
		this.transaction.executeWithoutResult((status) -> {
			entityManager().persist(new Thing("a"));
			this.store.append("A", ExpectedVersion.none(), new Paid(1));
			entityManager().persist(new Thing("b"));
			this.store.append("A", ExpectedVersion.exactly(1), new Paid(2));
		});
		assertThat(this.fixture.versions("A")).containsExactly(1L, 2L);
		assertThat(this.fixture.things()).containsExactly("a", "b");
		assertThat(published()).isEqualTo(2);
	}

	@Test
	void rollsBackEventsEntitiesAndMessagesTogether() {
		this.transaction.executeWithoutResult((status) -> {
			entityManager().persist(new Thing("a"));
			this.store.append("A", ExpectedVersion.none(), new Paid(1));
			status.setRollbackOnly();
		});
		assertThat(this.fixture.standing("A")).isEmpty();
		assertThat(this.fixture.things()).isEmpty();
		assertThat(published()).isZero();
	}

	@Test
	void rollsBackEventsWhenAnEntityCannotBeWritten() {
		this.fixture.committed().update("insert into thing values ('a')");
		assertThatExceptionOfType(DataIntegrityViolationException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.store.append("A", ExpectedVersion.none(), new Paid(1));
				entityManager().persist(new Thing("a"));
			}));
		assertThat(this.fixture.standing("A")).isEmpty();
	}

	@Test
	void goesOnInTheSameTransactionAfterAConflict() {
		this.transaction.executeWithoutResult((status) -> {
			entityManager().persist(new Thing("a"));
			assertThatExceptionOfType(OptimisticConcurrencyException.class)
				.isThrownBy(() -> this.store.append("A", ExpectedVersion.exactly(3), new Paid(1)));
			this.store.append("A", ExpectedVersion.none(), new Paid(2));
		});
		assertThat(this.fixture.things()).containsExactly("a");
		assertThat(this.store.read("A").map(StoredEvent::payload)).containsExactly(new Paid(2));
	}

	@Test
	void keepsInnerAndOuterTransactionsApart() {
		TransactionTemplate requiresNew = new TransactionTemplate(this.transaction.getTransactionManager());
		requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transaction.executeWithoutResult((outer) -> {
			this.store.append("outer", ExpectedVersion.any(), new Paid(1));
			requiresNew.executeWithoutResult((inner) -> {
				this.store.append("inner", ExpectedVersion.any(), new Paid(2));
				entityManager().persist(new Thing("inner"));
			});
			outer.setRollbackOnly();
		});
		assertThat(this.store.readAll(0, 10).map((event) -> event.stream().key())).containsExactly("inner");
		assertThat(this.fixture.things()).containsExactly("inner");
	}

	@Test
	void refusesAReadOnlyTransaction() {
		this.transaction.setReadOnly(true);
		this.transaction.executeWithoutResult((status) -> assertThatIllegalStateException()
			.isThrownBy(() -> this.store.append("A", ExpectedVersion.any(), new Paid(1)))
			.withMessageContaining("read-only"));
	}

	@Test
	void appendsInATransactionOfItsOwnAfterTheCompletionOfAnother() {
		this.transaction.executeWithoutResult((status) -> {
			entityManager().persist(new Thing("a"));
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCompletion(int completion) {
					JpaEventStoreTests.this.store.append("A", ExpectedVersion.any(), new Paid(1));
				}
			});
		});
		assertThat(this.fixture.versions("A")).containsExactly(1L);
		assertThat(published()).isEqualTo(1);
		assertThat(this.fixture.things()).containsExactly("a");
	}

	private int published() {
		Integer count = this.fixture.committed()
			.queryForObject("select count(*) from whizbang.wh_outbox", Integer.class);
		return (count != null) ? count : 0;
	}

	private EntityManager entityManager() {
		List<EntityManagerHolder> holders = TransactionSynchronizationManager.getResourceMap()
			.values()
			.stream()
			.filter(EntityManagerHolder.class::isInstance)
			.map(EntityManagerHolder.class::cast)
			.toList();
		assertThat(holders).hasSize(1);
		return holders.get(0).getEntityManager();
	}

	@Entity(name = "EventThing")
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
