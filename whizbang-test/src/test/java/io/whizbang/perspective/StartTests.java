package io.whizbang.perspective;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Who has started the worker can ask for what its perspectives serve.
 */
@PostgresTest
class StartTests {

	private final PerspectiveFixture fixture;

	StartTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void runsAreThereWhenTheWorkerHasStarted() {
		AtomicReference<Thread> beginner = new AtomicReference<>();
		PerspectiveInstance instance = this.fixture
			.start(new Beginning("p", () -> beginner.set(Thread.currentThread())));
		assertThat(instance.perspectives.serving("p")).isEqualTo(new PerspectiveRun("p", 1, 1));
		assertThat(beginner).hasValue(Thread.currentThread());
	}

	@Test
	void codeThatCannotBeginKeepsNoOtherFromItAndIsTriedAgain() {
		AtomicBoolean broken = new AtomicBoolean(true);
		PerspectiveInstance instance = this.fixture.start(
				failing("wrong", broken, new IllegalStateException("not configured")),
				failing("waiting", broken, new CannotAcquireLockException("somebody has it")),
				failing("incomplete", broken, new NoClassDefFoundError("Missing")), new RecordingPerspective("sound"));
		assertThat(instance.perspectives.serving("sound").run()).isEqualTo(1);
		assertThatIllegalArgumentException().isThrownBy(() -> instance.perspectives.serving("wrong"));
		this.fixture.append("A", 1);
		this.fixture.awaitApplied("sound", 1);
		broken.set(false);
		for (String name : new String[] { "wrong", "waiting", "incomplete" }) {
			this.fixture.awaitApplied(name, 1);
			assertThat(instance.perspectives.serving(name).run()).isEqualTo(1);
		}
	}

	@Test
	void theWorkerStartsWithoutADatabaseAndBeginsWhenThereIsOne() {
		AtomicBoolean away = new AtomicBoolean(true);
		PerspectiveInstance instance = this.fixture.prepare((parts) -> on(away(parts.dataSource(), away), parts),
				new RecordingPerspective("p"));
		instance.worker.start();
		assertThat(instance.worker.isRunning()).isTrue();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_perspectives")).isZero();
		away.set(false);
		this.fixture.append("A", 1);
		this.fixture.awaitApplied("p", 1);
		assertThat(instance.perspectives.serving("p").run()).isEqualTo(1);
	}

	private static RecordingPerspective failing(String name, AtomicBoolean broken, Throwable failure) {
		return new Beginning(name, () -> {
			if (broken.get()) {
				StartTests.<RuntimeException>raise(failure);
			}
		});
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void raise(Throwable failure) throws T {
		throw (T) failure;
	}

	private static PerspectiveParts on(DataSource dataSource, PerspectiveParts parts) {
		return new PerspectiveParts(dataSource, parts.schema(), new JdbcTransactionManager(dataSource), parts.codec(),
				parts.types(), parts.handlers(), parts.settings(), parts.completion(), () -> true, parts.listener(),
				parts.observations());
	}

	private static DataSource away(@Nullable DataSource target, AtomicBoolean away) {
		return new DelegatingDataSource(target) {
			@Override
			public Connection getConnection() throws SQLException {
				if (away.get()) {
					throw new SQLException("Connection refused", "08001");
				}
				return super.getConnection();
			}
		};
	}

	/** Does something when a run begins. */
	private static final class Beginning extends RecordingPerspective {

		private final Runnable prepare;

		Beginning(String name, Runnable prepare) {
			super(name);
			this.prepare = prepare;
		}

		@Override
		public void prepare(PerspectiveRun run) {
			this.prepare.run();
		}

	}

}
