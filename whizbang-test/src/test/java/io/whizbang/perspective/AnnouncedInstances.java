package io.whizbang.perspective;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.worker.AnnouncementChannel;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.WorkNotifier;
import io.whizbang.worker.WorkerLifecycle;

/**
 * Instances that look of themselves once in an hour, so that only what they are told, or
 * remember, wakes them in time.
 */
final class AnnouncedInstances implements AutoCloseable {

	static final Duration HOUR = Duration.ofHours(1);

	private static final CoordinatorSettings RULES = new CoordinatorSettings(HOUR, HOUR, HOUR, HOUR, 10_000, null,
			false, false);

	private final PerspectiveFixture fixture;

	private final PostgresListener listener;

	private final WorkNotifier notifier;

	private final WorkerLifecycle lifecycle;

	private final List<PerspectiveInstance> instances = new ArrayList<>();

	AnnouncedInstances(PostgresDatabase database, PerspectiveFixture fixture) {
		this(database, fixture, database.dataSource());
	}

	/** Announcements are sent over a data source of their own. */
	AnnouncedInstances(PostgresDatabase database, PerspectiveFixture fixture, DataSource announcements) {
		this.fixture = fixture;
		AnnouncementChannel channel = AnnouncementChannel.ofSchema(PerspectiveFixture.SCHEMA);
		this.listener = new PostgresListener(database.unpooledDataSource()::getConnection, channel);
		this.notifier = new WorkNotifier(announcements, channel);
		this.lifecycle = new WorkerLifecycle(List.of(), this.listener, this.notifier);
		this.lifecycle.start();
		Await.until("somebody listens", this.listener::healthy);
	}

	WorkNotifier notifier() {
		return this.notifier;
	}

	/**
	 * An instance that hears what others announce, and announces, but has not started.
	 */
	PerspectiveInstance prepare(PerspectiveInstance.Choice choice, PerspectiveHandler... handlers) {
		PerspectiveInstance instance = this.fixture.prepare(RULES,
				(parts) -> choice
					.from(parts.with(parts.settings().withPoll(HOUR, HOUR, HOUR).withLease(HOUR.multipliedBy(10)))),
				handlers);
		new PerspectiveSignal(instance.worker, this.notifier);
		this.listener.wakes(instance.worker);
		this.instances.add(instance);
		return instance;
	}

	PerspectiveInstance prepare(PerspectiveHandler... handlers) {
		return prepare((parts) -> parts, handlers);
	}

	PerspectiveInstance start(PerspectiveInstance.Choice choice, PerspectiveHandler... handlers) {
		PerspectiveInstance instance = prepare(choice, handlers);
		instance.worker.start();
		return instance;
	}

	PerspectiveInstance start(PerspectiveHandler... handlers) {
		return start((parts) -> parts, handlers);
	}

	/**
	 * Waits until instances hold so many shards, in the order in which they were made.
	 */
	void awaitShards(Integer... shards) {
		Await.until(() -> "shards " + List.of(shards) + "; " + standing(),
				() -> this.instances.stream().map((each) -> each.worker.shards()).toList().equals(List.of(shards)));
	}

	/** Everything that tells why somebody does not hold what is his. */
	String standing() {
		return this.instances.stream()
			.map((each) -> Map.of("shards", each.worker.shards(), "has looked", each.worker.hasLooked(), "misses",
					each.worker.consecutiveMisses(), "failures", each.worker.consecutiveFailures(), "running",
					each.worker.isRunning()))
			.toList() + "; " + this.fixture.jdbc.queryForList("select * from whizbang.wh_perspective_members") + "; "
				+ this.fixture.standing();
	}

	/** What a driver says when the connection is gone. */
	static SQLException connectionLost() {
		return new SQLException("The connection is gone", "08006");
	}

	@Override
	public void close() {
		this.lifecycle.stop();
	}

}
