package io.whizbang.coordinator;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.WorkCoordinatorContract;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator in PostgreSQL does what every coordinator must do (G2, G3, G4, G5).
 */
@PostgresTest
class JdbcWorkCoordinatorTests extends WorkCoordinatorContract {

	private final CoordinatorFixture fixture;

	private final WorkCoordinator coordinator;

	JdbcWorkCoordinatorTests(PostgresDatabase database) {
		this.fixture = new CoordinatorFixture(database);
		this.coordinator = new JdbcWorkCoordinator(database.dataSource(), "whizbang", CoordinatorSettings.defaults(),
				this.fixture.clock());
	}

	@Override
	protected WorkCoordinator coordinator() {
		return this.coordinator;
	}

	@Override
	protected void elapse(Duration time) {
		this.fixture.clock().advance(time);
	}

	@Override
	protected Duration lease() {
		return CoordinatorFixture.LEASE;
	}

	@Override
	protected Duration staleAfter() {
		return CoordinatorFixture.STALE;
	}

	@Override
	protected void store(@Nullable String stream, String... payloads) {
		this.fixture
			.enqueue(Stream.of(payloads).map((payload) -> CoordinatorFixture.message(payload, stream)).toList());
	}

	@Override
	protected List<String> deadLetters() {
		return this.fixture.deadLetters();
	}

}
