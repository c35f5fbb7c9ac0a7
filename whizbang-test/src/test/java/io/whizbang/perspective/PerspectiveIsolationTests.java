package io.whizbang.perspective;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is asked of the database beside the model is asked at READ COMMITTED, whatever
 * connections are set to; models are written at the level that the application wants.
 */
@PostgresTest
class PerspectiveIsolationTests {

	private final PostgresDatabase database;

	private final PerspectiveFixture fixture;

	private final AtomicInteger calls = new AtomicInteger();

	PerspectiveIsolationTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new PerspectiveFixture(database);
		this.fixture.jdbc.execute("drop table if exists levels; create table levels (level text)");
	}

	@AfterEach
	void close() {
		this.fixture.close();
		this.database.jdbc()
			.execute("alter database %s reset default_transaction_isolation".formatted(this.database.name()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "repeatable read", "serializable" })
	void aDatabaseWithAnotherDefaultAppliesEverythingOnceToo(String isolation) {
		this.database.jdbc()
			.execute("alter database %s set default_transaction_isolation = '%s'".formatted(this.database.name(),
					isolation));
		assertAppliedOnce(start((usual, handler) -> usual), start((usual, handler) -> usual), isolation);
	}

	@Test
	void aPoolWithAnotherIsolationAndWithoutAutoCommitAppliesEverythingOnceToo() {
		HikariConfig config = new HikariConfig();
		config.setDataSource(this.database.unpooledDataSource());
		config.setMaximumPoolSize(16);
		config.setAutoCommit(false);
		config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
		try (HikariDataSource pool = new HikariDataSource(config)) {
			PerspectiveInstance first = start((usual, handler) -> on(pool, handler));
			PerspectiveInstance second = start((usual, handler) -> on(pool, handler));
			assertAppliedOnce(first, second, "repeatable read");
			first.close();
			second.close();
		}
	}

	private static PerspectiveParts on(HikariDataSource pool, RecordingPerspective handler) {
		handler.use(pool);
		return PerspectiveParts
			.of(pool, PerspectiveFixture.SCHEMA, new JdbcTransactionManager(pool), PerspectiveFixture.CODEC,
					PerspectiveFixture.TYPES, List.of(handler))
			.with(PerspectiveFixture.SETTINGS);
	}

	private void assertAppliedOnce(PerspectiveInstance first, PerspectiveInstance second, String isolation) {
		Await.until("each has half", () -> first.worker.shards() == 8 && second.worker.shards() == 8);
		for (int i = 0; i < 100; i++) {
			this.fixture.append("s-" + i % 20, 2);
		}
		this.fixture.awaitApplied("p", 200);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		assertThat(this.fixture.jdbc.queryForList("select distinct level from levels", String.class))
			.containsExactly(isolation);
		assertThat(first.perspectives.rebuildBeside("p").run()).isEqualTo(2);
		this.fixture.awaitApplied("p", 2, 200);
		Await.until("the switch", () -> second.perspectives.serving("p").run() == 2);
		second.perspectives.rebuild("p");
		this.fixture.append("s-1", 1);
		this.fixture.awaitApplied("p", 2, 201);
		assertThat(this.fixture.faults("p", 2)).isEmpty();
	}

	private PerspectiveInstance start(Wiring wiring) {
		RecordingPerspective handler = new RecordingPerspective("p");
		handler.before((event, run) -> {
			handler.jdbc().update("insert into levels values (current_setting('transaction_isolation'))");
			if (this.calls.incrementAndGet() % 31 == 0) {
				throw new IllegalStateException("not this time");
			}
		});
		PerspectiveInstance instance = this.fixture.prepare((usual) -> wiring.of(usual, handler), handler);
		instance.worker.start();
		return instance;
	}

	/** What an instance is made of. */
	private interface Wiring {

		PerspectiveParts of(PerspectiveParts usual, RecordingPerspective handler);

	}

}
