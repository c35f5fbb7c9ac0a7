package io.whizbang.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.event.EventCodec;
import io.whizbang.event.EventMetadataSource;
import io.whizbang.event.EventSignal;
import io.whizbang.event.EventStore;
import io.whizbang.event.EventStoreSettings;
import io.whizbang.event.EventTypes;
import io.whizbang.event.JdbcEventStore;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.EventObservations;
import io.whizbang.perspective.JdbcPerspectives;
import io.whizbang.perspective.PerspectiveHandler;
import io.whizbang.perspective.PerspectiveListener;
import io.whizbang.perspective.PerspectiveParts;
import io.whizbang.perspective.PerspectiveSettings;
import io.whizbang.perspective.PerspectiveSignal;
import io.whizbang.perspective.PerspectiveWorker;
import io.whizbang.perspective.Perspectives;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * An instance with one perspective and default settings, wired as the starter does it.
 */
final class WhizbangPerspectives implements AutoCloseable {

	static final String SCHEMA = "whizbang";

	static final EventTypes TYPES = EventTypes.of(Sold.class);

	static final EventCodec CODEC = new EventCodec(TYPES, List.of(),
			new JsonMessageCodec(JsonMapper.builder().build()));

	private final ExecutorService executor;

	private final PerspectiveWorker worker;

	private final Perspectives perspectives;

	private final EventStore store;

	WhizbangPerspectives(DataSource dataSource, PerspectiveHandler handler, PerspectiveListener listener) {
		PerspectiveSettings settings = PerspectiveSettings.defaults();
		CoordinatorSettings rules = CoordinatorSettings.defaults();
		this.executor = Executors.newFixedThreadPool(settings.concurrency());
		PerspectiveParts parts = PerspectiveParts
			.of(dataSource, SCHEMA, new JdbcTransactionManager(dataSource), CODEC, TYPES, List.of(handler))
			.with(settings)
			.with(listener);
		this.worker = new PerspectiveWorker(parts, new JdbcWorkCoordinator(dataSource, SCHEMA, rules), rules,
				new InstanceInfo("benchmark", "localhost", ProcessHandle.current().pid(), Map.of()), this.executor,
				() -> true);
		this.perspectives = new JdbcPerspectives(parts, this.worker);
		this.store = store(dataSource, new PerspectiveSignal(this.worker, null));
	}

	static EventStore store(DataSource dataSource, EventSignal signal) {
		return new JdbcEventStore(dataSource, SCHEMA, CODEC, EventStoreSettings.defaults(), EventMetadataSource.NONE,
				null, EventObservations.NONE, signal);
	}

	void start() {
		this.worker.start();
	}

	Perspectives perspectives() {
		return this.perspectives;
	}

	/** A store whose appends wake this instance. */
	EventStore store() {
		return this.store;
	}

	@Override
	public void close() {
		this.worker.stop();
		this.executor.shutdown();
	}

}
