package io.whizbang.timer;

import java.sql.Connection;
import java.time.Duration;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Timers are part of the transaction that writes them.
 */
@PostgresTest
class TimerTransactionTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	private final TimerFixture fixture;

	private final Timers timers;

	private final JdbcTransactionManager manager;

	private final TransactionTemplate required;

	private final TransactionTemplate requiresNew;

	private final TransactionTemplate nested;

	TimerTransactionTests(PostgresDatabase database) {
		this.fixture = new TimerFixture(database);
		this.timers = this.fixture.timers;
		this.manager = new JdbcTransactionManager(database.dataSource());
		this.required = template(TransactionDefinition.PROPAGATION_REQUIRED);
		this.requiresNew = template(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.nested = template(TransactionDefinition.PROPAGATION_NESTED);
	}

	private TransactionTemplate template(int propagation) {
		TransactionTemplate template = new TransactionTemplate(this.manager);
		template.setPropagationBehavior(propagation);
		return template;
	}

	private int pending() {
		Integer pending = this.fixture.jdbc
			.queryForObject("select count(*) from whizbang.wh_scheduled where timer_due is not null", Integer.class);
		return (pending != null) ? pending : -1;
	}

	@Test
	void existsIfAndOnlyIfItsTransactionCommits() {
		this.required.executeWithoutResult((status) -> {
			this.timers.schedule("test", 1, SOON);
			status.setRollbackOnly();
		});
		assertThat(pending()).isZero();

		this.required.executeWithoutResult((status) -> {
			this.timers.schedule("test", 1, SOON);
			assertThat(this.fixture.signals).as("before the commit nobody is told").isEmpty();
		});
		assertThat(pending()).isOne();
		assertThat(this.fixture.signals).hasSize(1);
	}

	@Test
	void goesWithASavepointThatIsRolledBack() {
		this.required.executeWithoutResult((outer) -> {
			this.timers.schedule("test", 1, SOON);
			this.nested.executeWithoutResult((inner) -> {
				this.timers.schedule("test", 2, SOON);
				inner.setRollbackOnly();
			});
		});
		this.fixture.pass(SOON);
		assertThat(this.fixture.payloads()).containsExactly("1");
	}

	@Test
	void innerTransactionOfItsOwnOutlivesTheRollbackOfTheOuterOne() {
		this.required.executeWithoutResult((outer) -> {
			this.timers.schedule("test", 1, SOON);
			this.requiresNew.executeWithoutResult((inner) -> this.timers.schedule("test", 2, SOON));
			assertThat(this.fixture.signals).hasSize(1);
			outer.setRollbackOnly();
		});
		this.fixture.pass(SOON);
		assertThat(this.fixture.payloads()).containsExactly("2");
	}

	@Test
	void isFoundAndCancelledInTheTransactionThatScheduledIt() {
		this.required.executeWithoutResult((status) -> {
			TimerId id = this.timers.schedule(NewTimer.to("test", 1).key("k").after(SOON).build());
			assertThat(this.timers.find(id)).isPresent();
			assertThat(this.timers.find("k")).isPresent();
			assertThat(this.timers.reschedule(id, SOON)).isTrue();
			assertThat(this.timers.cancel(id)).isTrue();
			assertThat(this.timers.find(id)).isEmpty();
		});
		assertThat(pending()).isZero();
	}

	@Test
	void cancelIsUndoneByARollback() {
		TimerId id = this.timers.schedule("test", 1, SOON);
		this.fixture.signals.clear();
		this.required.executeWithoutResult((status) -> {
			assertThat(this.timers.cancel(id)).isTrue();
			status.setRollbackOnly();
		});
		assertThat(this.timers.find(id)).isPresent();
		assertThat(this.fixture.signals).as("it may have been due meanwhile").hasSize(1);
	}

	@Test
	void readOnlyTransactionIsRefusedButMayLook() {
		this.required.setReadOnly(true);
		this.required.executeWithoutResult((status) -> {
			assertThatIllegalStateException().isThrownBy(() -> this.timers.schedule("test", 1, SOON))
				.withMessageContaining("Cannot schedule or cancel in the read-only transaction");
			assertThatIllegalStateException().isThrownBy(() -> this.timers.cancel("k"));
			assertThat(this.timers.find("k")).isEmpty();
			assertThat(this.timers.list(null, null, 10).timers()).isEmpty();
			assertThat(this.timers.count(10)).isZero();
		});
	}

	@Test
	void transactionOfAnotherDatabaseIsRefused() {
		SingleConnectionDataSource other = new SingleConnectionDataSource(connection(), true);
		new TransactionTemplate(new JdbcTransactionManager(other)).executeWithoutResult(
				(status) -> assertThatIllegalStateException().isThrownBy(() -> this.timers.schedule("test", 1, SOON))
					.withMessageContaining("not one of Whizbang's DataSource"));
		other.destroy();
	}

	private Connection connection() {
		try {
			return this.fixture.database.unpooledDataSource().getConnection();
		}
		catch (java.sql.SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void timerOfATransactionThatTookVeryLongDoesNotWaitForTheSweep() {
		this.fixture.fire();
		this.required.executeWithoutResult((status) -> {
			this.timers.schedule("test", 1, Duration.ofSeconds(2));
			for (int i = 0; i < 20; i++) {
				this.fixture.pass(Duration.ofSeconds(1));
				this.fixture.claim();
			}
		});
		assertThat(this.fixture.payloads()).containsExactly("1");
	}

	@Test
	void timerThatAVeryLongTransactionMovedDoesNotWaitForTheSweep() {
		this.timers.schedule(NewTimer.to("test", 1).key("k").after(Duration.ofDays(1)).build());
		this.fixture.fire();
		this.required.executeWithoutResult((status) -> {
			this.timers.reschedule("k", Duration.ofSeconds(2));
			for (int i = 0; i < 20; i++) {
				this.fixture.pass(Duration.ofSeconds(1));
				this.fixture.claim();
			}
		});
		assertThat(this.fixture.payloads()).containsExactly("1");
	}

	@Test
	void openTransactionThatCancelsHoldsUpNoOtherTimer() {
		TimerId id = this.timers.schedule("test", 1, Duration.ofSeconds(1));
		this.timers.schedule("test", 2, Duration.ofSeconds(2));
		this.required.executeWithoutResult((status) -> {
			assertThat(this.timers.cancel(id)).isTrue();
			this.fixture.pass(SOON);
			assertThat(this.fixture.payloads()).containsExactly("2");
			assertThat(this.fixture.claim().heldBack()).as("there is something to come back for").isTrue();
		});
		assertThat(this.fixture.payloads()).isEmpty();
	}

	@Test
	void timerWhoseCancelIsRolledBackFiresAtOnceHoweverLongThatTook() {
		TimerId id = this.timers.schedule("test", 1, Duration.ofSeconds(1));
		this.required.executeWithoutResult((status) -> {
			assertThat(this.timers.cancel(id)).isTrue();
			for (int i = 0; i < 20; i++) {
				this.fixture.pass(Duration.ofSeconds(1));
				this.timers.schedule("test", "other " + i, Duration.ofDays(1));
				this.fixture.claim();
			}
			status.setRollbackOnly();
		});
		assertThat(this.fixture.payloads()).containsExactly("1");
	}

}
