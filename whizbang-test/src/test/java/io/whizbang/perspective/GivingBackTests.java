package io.whizbang.perspective;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an instance was busy with goes to whoever it belongs to as soon as that is done:
 * polls come every hour here.
 */
@PostgresTest
class GivingBackTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final CoordinatorSettings RULES = new CoordinatorSettings(HOUR, HOUR, HOUR, HOUR, 10_000, null,
			false, false);

	private final PerspectiveFixture fixture;

	private final AtomicReference<Runnable> beforeHold = new AtomicReference<>(() -> {
	});

	GivingBackTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void aLaneThatEndsWhileTheInstanceLooksKeepsNothingFromOthers() throws Exception {
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		PerspectiveInstance one = instance(new RecordingPerspective("p").before((event, run) -> {
			inside.countDown();
			go.await();
		}));
		one.worker.start();
		Await.until("the first holds all", () -> one.worker.shards() == 16);
		this.fixture.append("A", 1);
		inside.await();
		CountDownLatch looked = new CountDownLatch(1);
		// Behind the decision what counts as busy, before the answer of the database.
		this.beforeHold.set(() -> {
			if (looked.getCount() > 0 && Thread.currentThread().getName().equals("whizbang-perspectives")) {
				go.countDown();
				Await.until("the lane has ended", one::isIdle);
				looked.countDown();
			}
		});
		this.fixture.jdbc.update("""
				insert into whizbang.wh_service_instances
				    (instance_id, service_name, host_name, process_id, queues, started_at, last_heartbeat_at)
				values ('00000000-0000-0000-0000-000000000001', 'other', 'other', 1, '{3}', now(), now())""");
		this.fixture.jdbc.update("insert into whizbang.wh_perspective_members values "
				+ "('00000000-0000-0000-0000-000000000001', 'p', 1)");
		one.worker.look();
		looked.await();
		Await.until("half is given back", () -> one.worker.shards() == 8);
		assertThat(this.fixture.applied("p")).containsExactly("A/1");
	}

	private PerspectiveInstance instance(RecordingPerspective handler) {
		return this.fixture.prepare(RULES, (parts) -> {
			HookedDataSource hooked = new HookedDataSource(parts.dataSource()).beforeStatement((sql) -> {
				if (sql.contains("hold_perspectives")) {
					this.beforeHold.get().run();
				}
			});
			return hooked.under(parts)
				.with(parts.settings().withPoll(HOUR, HOUR, HOUR).withLease(HOUR.multipliedBy(10)));
		}, handler);
	}

}
