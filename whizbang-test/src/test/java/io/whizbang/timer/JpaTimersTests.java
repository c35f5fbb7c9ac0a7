package io.whizbang.timer;

import java.sql.Savepoint;
import java.time.Duration;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Timers are part of a JPA transaction that writes them, together with its entities (G1).
 */
@PostgresTest
class JpaTimersTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	private final TimerFixture fixture;

	private final Timers timers;

	private final LocalContainerEntityManagerFactoryBean factoryBean;

	private final EntityManagerFactory factory;

	private final JpaTransactionManager manager;

	private final TransactionTemplate transaction;

	JpaTimersTests(PostgresDatabase database) {
		this.fixture = new TimerFixture(database);
		this.timers = this.fixture.timers;
		this.factoryBean = new LocalContainerEntityManagerFactoryBean();
		this.factoryBean.setDataSource(database.dataSource());
		this.factoryBean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
		this.factoryBean.setPackagesToScan(getClass().getPackageName());
		this.factoryBean.afterPropertiesSet();
		this.factory = this.factoryBean.getObject();
		this.manager = new JpaTransactionManager(this.factory);
		this.manager.afterPropertiesSet();
		this.transaction = template(TransactionDefinition.PROPAGATION_REQUIRED);
	}

	private TransactionTemplate template(int propagation) {
		TransactionTemplate template = new TransactionTemplate(this.manager);
		template.setPropagationBehavior(propagation);
		return template;
	}

	@BeforeEach
	void createTable() {
		this.fixture.jdbc.execute("create table if not exists reminder (name text primary key)");
		this.fixture.jdbc.execute("delete from reminder");
	}

	@AfterEach
	void close() {
		this.factoryBean.destroy();
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
	}

	@Test
	void isScheduledMovedAndCancelledTogetherWithEntities() {
		TimerId cancelled = this.timers.schedule("test", 1, SOON);
		TimerId moved = this.timers.schedule("test", 2, SOON);
		this.fixture.signals.clear();
		this.transaction.executeWithoutResult((status) -> {
			entityManager().persist(new Reminder("a"));
			this.timers.schedule("test", 3, SOON);
			assertThat(this.timers.cancel(cancelled)).isTrue();
			assertThat(this.timers.reschedule(moved, SOON.multipliedBy(2))).isTrue();
			assertThat(this.fixture.signals).as("before the commit nobody is told").isEmpty();
		});
		assertThat(reminders()).isOne();
		assertThat(this.fixture.signals).hasSize(1);
		this.fixture.pass(SOON);
		assertThat(this.fixture.payloads()).containsExactly("3");
		this.fixture.pass(SOON);
		assertThat(this.fixture.payloads()).containsExactly("2");
	}

	@Test
	void aRollbackUndoesAllOfIt() {
		TimerId cancelled = this.timers.schedule("test", 1, SOON);
		TimerId moved = this.timers.schedule("test", 2, SOON);
		this.transaction.executeWithoutResult((status) -> {
			entityManager().persist(new Reminder("a"));
			this.timers.schedule("test", 3, SOON);
			this.timers.cancel(cancelled);
			this.timers.reschedule(moved, Duration.ofHours(1));
			status.setRollbackOnly();
		});
		assertThat(reminders()).isZero();
		this.fixture.pass(SOON);
		assertThat(this.fixture.payloads()).containsExactlyInAnyOrder("1", "2");
	}

	@Test
	void isNotThereWhenAnEntityCannotBeWritten() {
		this.fixture.jdbc.update("insert into reminder values ('a')");
		assertThatExceptionOfType(DataIntegrityViolationException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.timers.schedule("test", 1, SOON);
				entityManager().persist(new Reminder("a"));
			}));
		assertThat(this.timers.count(10)).isZero();
	}

	/** Hibernate offers no savepoints to Spring, but its connection does. */
	@Test
	void goesWithASavepointThatIsRolledBack() {
		TimerId kept = this.timers.schedule("test", 1, SOON);
		this.transaction.executeWithoutResult((status) -> {
			this.timers.schedule("test", 2, SOON);
			connection((connection) -> {
				Savepoint savepoint = connection.setSavepoint();
				this.timers.schedule("test", 3, SOON);
				assertThat(this.timers.cancel(kept)).isTrue();
				connection.rollback(savepoint);
				return null;
			});
			assertThat(this.timers.find(kept)).isPresent();
		});
		this.fixture.pass(SOON);
		assertThat(this.fixture.payloads()).containsExactlyInAnyOrder("1", "2");
	}

	private void connection(ConnectionCallback<@Nullable Object> callback) {
		this.fixture.jdbc.execute(callback);
	}

	@Test
	void innerTransactionOfItsOwnOutlivesTheRollbackOfTheOuterOne() {
		this.transaction.executeWithoutResult((outer) -> {
			this.timers.schedule("test", 1, SOON);
			template(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
				.executeWithoutResult((inner) -> this.timers.schedule("test", 2, SOON));
			outer.setRollbackOnly();
		});
		this.fixture.pass(SOON);
		assertThat(this.fixture.payloads()).containsExactly("2");
	}

	@Test
	void timerOfATransactionThatTookVeryLongDoesNotWaitForTheSweep() {
		this.fixture.fire();
		this.transaction.executeWithoutResult((status) -> {
			this.timers.schedule("test", 1, Duration.ofSeconds(2));
			for (int i = 0; i < 20; i++) {
				this.fixture.pass(Duration.ofSeconds(1));
				this.fixture.claim();
			}
		});
		assertThat(this.fixture.payloads()).containsExactly("1");
	}

	@Test
	void readOnlyTransactionIsRefusedButMayLook() {
		this.transaction.setReadOnly(true);
		this.transaction.executeWithoutResult((status) -> {
			assertThatIllegalStateException().isThrownBy(() -> this.timers.schedule("test", 1, SOON))
				.withMessageContaining("read-only");
			assertThat(this.timers.count(10)).isZero();
		});
	}

	private EntityManager entityManager() {
		EntityManager current = EntityManagerFactoryUtils.getTransactionalEntityManager(this.factory);
		assertThat(current).isNotNull();
		return current;
	}

	private int reminders() {
		Integer count = this.fixture.jdbc.queryForObject("select count(*) from reminder", Integer.class);
		return (count != null) ? count : -1;
	}

	@Entity(name = "Reminder")
	@Table(name = "reminder")
	static class Reminder {

		@Id
		private String name;

		protected Reminder() {
		}

		Reminder(String name) {
			this.name = name;
		}

		String getName() {
			return this.name;
		}

	}

}
