package io.whizbang.perspective;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.event.EventMetadataSource;
import io.whizbang.event.EventStore;
import io.whizbang.event.EventStoreSettings;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.event.JdbcEventStore;
import io.whizbang.observation.EventObservations;
import io.whizbang.perspective.PerspectiveFixture.Noted;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaMode;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two services in one database, each with its own schema, know nothing of each other,
 * although their perspectives and streams have the same names.
 */
@PostgresTest
class PerspectiveSchemaTests {

	private static final String ELSEWHERE = "whizbang_elsewhere";

	private final PerspectiveFixture fixture;

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final EventStore store;

	private final PerspectiveWorker worker;

	PerspectiveSchemaTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.of(ELSEWHERE, SchemaMode.MIGRATE)).install();
		RecordingPerspective handler = new RecordingPerspective("p") {
			@Override
			void write(io.whizbang.event.StoredEvent event, PerspectiveRun run) {
				jdbc().update("insert into applied (name, run, stream, version) values ('elsewhere', 1, ?, ?)",
						event.stream().key(), event.version());
			}
		};
		handler.use(database.dataSource());
		PerspectiveParts parts = PerspectiveParts
			.of(database.dataSource(), ELSEWHERE, new JdbcTransactionManager(database.dataSource()),
					PerspectiveFixture.CODEC, PerspectiveFixture.TYPES, List.of(handler))
			.with(PerspectiveFixture.SETTINGS);
		this.worker = new PerspectiveWorker(parts,
				new JdbcWorkCoordinator(database.dataSource(), ELSEWHERE, PerspectiveFixture.RULES),
				PerspectiveFixture.RULES, new InstanceInfo("elsewhere", "localhost", 2, Map.of()), this.executor,
				() -> false);
		this.store = new JdbcEventStore(database.dataSource(), ELSEWHERE, PerspectiveFixture.CODEC,
				EventStoreSettings.defaults(), EventMetadataSource.NONE, null, EventObservations.NONE,
				new PerspectiveSignal(this.worker, null));
	}

	@AfterEach
	void close() {
		this.worker.stop();
		this.executor.shutdownNow();
		this.fixture.close();
	}

	@Test
	void eachAppliesItsOwnEventsAndAllOfThem() {
		PerspectiveInstance here = this.fixture.start(new RecordingPerspective("p"));
		this.worker.start();
		Await.until("each holds all of its own", () -> here.worker.shards() == 16 && this.worker.shards() == 16);
		this.fixture.append("A", 3);
		for (int i = 0; i < 2; i++) {
			this.store.append("A", ExpectedVersion.exactly(i), new Noted(i));
		}
		this.fixture.append("A", 1);
		this.store.append("B", ExpectedVersion.any(), new Noted(1));
		this.fixture.awaitApplied("p", 4);
		this.fixture.awaitApplied("elsewhere", 3);
		assertThat(this.fixture.applied("p")).containsExactly("A/1", "A/2", "A/3", "A/4");
		assertThat(this.fixture.applied("elsewhere")).containsExactlyInAnyOrder("A/1", "A/2", "B/1");
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		here.worker.stop();
		assertThat(this.fixture.count("select count(*) from " + ELSEWHERE + ".wh_service_instances")).isEqualTo(1);
		this.store.append("A", ExpectedVersion.exactly(2), new Noted(3));
		this.fixture.awaitApplied("elsewhere", 4);
	}

}
