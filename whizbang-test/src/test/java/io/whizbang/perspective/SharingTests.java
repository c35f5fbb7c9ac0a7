package io.whizbang.perspective;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Shards go from instance to instance, and nobody changes what is not his any more.
 */
@PostgresTest
class SharingTests {

	private final PerspectiveFixture fixture;

	SharingTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void anInstanceThatSleptThroughItsLeaseChangesNothing() throws Exception {
		CountDownLatch asleep = new CountDownLatch(1);
		CountDownLatch awake = new CountDownLatch(1);
		AtomicBoolean paused = new AtomicBoolean();
		AtomicInteger lost = new AtomicInteger();
		PerspectiveInstance sleeper = this.fixture
			.prepare((parts) -> parts.with(parts.settings().withLease(Duration.ofMillis(300)))
				.with((DatabaseReadiness) () -> !paused.get())
				.with(new PerspectiveListener() {
					@Override
					public void shardLost(PerspectiveRun run) {
						lost.incrementAndGet();
					}
				}), new RecordingPerspective("p").before((event, run) -> {
					if (event.version() == 3) {
						paused.set(true);
						asleep.countDown();
						awake.await();
					}
				}));
		sleeper.worker.start();
		Await.until("it holds all", () -> sleeper.worker.shards() == 16);
		this.fixture.append("A", 2);
		this.fixture.awaitApplied("p", 2);
		this.fixture.append("A", 3);
		asleep.await();
		PerspectiveInstance other = this.fixture.start(new RecordingPerspective("p"));
		this.fixture.awaitApplied("p", 5);
		long token = this.fixture.count("select max(token) from whizbang.wh_perspective_shards");
		assertThat(token).isGreaterThan(1);
		awake.countDown();
		Await.until("it has noticed", () -> lost.get() > 0);
		assertThat(this.fixture.applied("p")).containsExactly("A/1", "A/2", "A/3", "A/4", "A/5");
		paused.set(false);
		this.fixture.append("A", 1);
		this.fixture.awaitApplied("p", 6);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		assertThat(other.worker.consecutiveFailures()).isZero();
	}

	@Test
	void aLongPageKeepsItsShardsWhileItsInstanceLives() throws Exception {
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		// So long that a busy machine renews it in time.
		PerspectiveSettings brief = PerspectiveFixture.SETTINGS.withLease(Duration.ofSeconds(2));
		this.fixture.start(brief, new RecordingPerspective("p").before((event, run) -> {
			inside.countDown();
			go.await();
		}));
		this.fixture.append("A", 1);
		inside.await();
		AtomicInteger others = new AtomicInteger();
		PerspectiveInstance other = this.fixture.start(brief,
				new RecordingPerspective("p").before((event, run) -> others.incrementAndGet()));
		OffsetDateTime lease = lease();
		Await.until("the lease that it had has ended", () -> this.fixture
			.count("select count(*) from whizbang.wh_perspective_shards where clock_timestamp() <= ?", lease) == 0);
		assertThat(lease()).as("the lease that it has").isAfter(lease);
		go.countDown();
		this.fixture.awaitApplied("p", 1);
		Await.until("each has half", () -> other.worker.shards() == 8);
		assertThat(others).hasValue(0);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
	}

	private OffsetDateTime lease() {
		return this.fixture.jdbc
			.queryForList("select min(lease_expiry) from whizbang.wh_perspective_shards", OffsetDateTime.class)
			.get(0);
	}

	@Test
	void shardsOfAnInstanceThatLeavesAreTakenOver() {
		PerspectiveInstance first = this.fixture.start(new RecordingPerspective("p"));
		PerspectiveInstance second = this.fixture.start(new RecordingPerspective("p"));
		Await.until("each has half", () -> first.worker.shards() == 8 && second.worker.shards() == 8);
		first.close();
		Await.until("the other has all", () -> second.worker.shards() == 16);
		this.fixture.append("A", 3);
		this.fixture.awaitApplied("p", 3);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
	}

	@Test
	void shardsOfAnInstanceThatVanishesAreTakenOverWhenItsLeaseEnds() {
		PerspectiveInstance second = this.fixture.prepare((parts) -> parts, new RecordingPerspective("p"));
		second.worker.start();
		Await.until("it holds all", () -> second.worker.shards() == 16);
		// As if a process had died: nobody renews, nobody leaves.
		this.fixture.jdbc.update("""
				insert into whizbang.wh_service_instances
				    (instance_id, service_name, host_name, process_id, queues, started_at, last_heartbeat_at)
				values ('00000000-0000-0000-0000-000000000001', 'gone', 'gone', 1, '{3}', now(), now())""");
		this.fixture.jdbc.update("insert into whizbang.wh_perspective_members values "
				+ "('00000000-0000-0000-0000-000000000001', 'p', 1)");
		Await.until("half is given back", () -> {
			// Until then it is alive, however long that takes.
			this.fixture.jdbc
				.update("update whizbang.wh_service_instances set last_heartbeat_at = now() where host_name = 'gone'");
			return second.worker.shards() == 8;
		});
		this.fixture.jdbc
			.update("""
					update whizbang.wh_perspective_shards set holder = '00000000-0000-0000-0000-000000000001', token = token + 1,
					    lease_expiry = clock_timestamp() + interval '1 second' where holder is null""");
		for (int i = 0; i < 30; i++) {
			this.fixture.append("s-" + i, 1);
		}
		this.fixture.awaitApplied("p", 30);
		Await.until("it holds all again", () -> second.worker.shards() == 16);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
	}

	@Test
	void onlyInstancesThatHaveTheCodeShareIt() {
		PerspectiveInstance first = this.fixture.start(new RecordingPerspective("p"));
		PerspectiveInstance second = this.fixture.start(new RecordingPerspective("q"));
		Await.until("each has its own", () -> first.worker.shards() == 16 && second.worker.shards() == 16);
		this.fixture.append("A", 2);
		this.fixture.awaitApplied("p", 2);
		this.fixture.awaitApplied("q", 2);
	}

	@Test
	void aGlobalPerspectiveGetsEverythingInOneOrder() {
		RecordingPerspective all = new RecordingPerspective("all").asGlobal();
		this.fixture.start(all);
		this.fixture.start(new RecordingPerspective("all").asGlobal());
		for (int i = 0; i < 40; i++) {
			this.fixture.append("s-" + i % 9, 1);
		}
		this.fixture.awaitApplied("all", 40);
		assertThat(this.fixture.jdbc.queryForList("select position from applied order by id", Long.class)).isSorted();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_perspective_shards")).isEqualTo(1);
	}

	@Test
	void aPausedPerspectiveStandsStillOnAllInstances() {
		PerspectiveInstance first = this.fixture.start(new RecordingPerspective("p"));
		PerspectiveInstance second = this.fixture.start(new RecordingPerspective("p"));
		this.fixture.append("A", 1);
		this.fixture.awaitApplied("p", 1);
		first.perspectives.pause("p");
		Await.until("nobody works on it", () -> first.worker.shards() == 0 && second.worker.shards() == 0);
		this.fixture.append("A", 1);
		assertThat(first.perspectives.status("p").get(0).paused()).isTrue();
		assertThat(this.fixture.applied("p")).hasSize(1);
		second.perspectives.resume("p");
		this.fixture.awaitApplied("p", 2);
	}

	@Test
	void concurrencyLetsPartsRunAtTheSameTime() {
		CountDownLatch both = new CountDownLatch(2);
		List<String> threads = new CopyOnWriteArrayList<>();
		this.fixture.start(new RecordingPerspective("p").concurrency(2).before((event, run) -> {
			threads.add(System.identityHashCode(Thread.currentThread()) + "");
			both.countDown();
			both.await();
		}));
		for (int i = 0; i < 20; i++) {
			this.fixture.append("s-" + i, 1);
		}
		this.fixture.awaitApplied("p", 20);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		assertThat(threads.stream().distinct().count()).isGreaterThan(1);
	}

	@Test
	void anInstanceThatCountedAsDeadBeginsAnew() {
		PerspectiveInstance instance = this.fixture.start(new RecordingPerspective("p"));
		Await.until("it holds all", () -> instance.worker.shards() == 16);
		this.fixture.jdbc.update("delete from whizbang.wh_service_instances");
		this.fixture.append("A", 2);
		this.fixture.awaitApplied("p", 2);
		Await.until("it is back", () -> this.fixture.count("select count(*) from whizbang.wh_service_instances") == 1
				&& instance.worker.shards() == 16);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
	}

}
