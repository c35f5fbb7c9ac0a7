package io.whizbang.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.worker.Announcement;
import io.whizbang.worker.AnnouncementChannel;
import io.whizbang.worker.Hearer;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.WorkNotifier;
import io.whizbang.worker.WorkerLifecycle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who waits is told of a release in another instance. Nobody here looks by itself: what
 * is not announced is not found.
 */
@PostgresTest
class LeaseNewsTests {

	private static final Duration LONG = Duration.ofMinutes(10);

	private final LeaseFixture fixture;

	private final PostgresDatabase database;

	private final List<WorkerLifecycle> started = new ArrayList<>();

	private final List<JdbcLeases> instances = new ArrayList<>();

	private final Set<String> heard = new ConcurrentSkipListSet<>();

	LeaseNewsTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new LeaseFixture(database);
	}

	@AfterEach
	void stop() {
		this.instances.forEach(JdbcLeases::releaseAll);
		this.started.forEach(WorkerLifecycle::stop);
	}

	private JdbcLeases instance(String name) {
		AnnouncementChannel channel = AnnouncementChannel.ofSchema(LeaseFixture.SCHEMA);
		WorkNotifier notifier = new WorkNotifier(this.database.dataSource(), channel);
		PostgresListener listener = new PostgresListener(this.database.unpooledDataSource()::getConnection, channel);
		listener.wakes(new Hearer() {

			@Override
			public void announced(Announcement announcement) {
				LeaseNewsTests.this.heard.add(announcement.queue());
			}

			@Override
			public void listening(@Nullable Integer backendPid) {
			}

		});
		JdbcLeases leases = this.fixture.listening(name, notifier);
		new LeaseLifecycle(leases, listener).start();
		WorkerLifecycle lifecycle = new WorkerLifecycle(List.of(), listener, notifier);
		lifecycle.start();
		Await.until(name + " listens", listener::healthy);
		this.started.add(lifecycle);
		this.instances.add(leases);
		return leases;
	}

	@Test
	void whoeverWaitsInAnotherInstanceIsToldOneAfterTheOther() {
		JdbcLeases one = instance("one");
		JdbcLeases two = instance("two");
		JdbcLeases three = instance("three");
		HeldLease lease = (HeldLease) one.tryAcquire("a b\u00e4r", LONG).orElseThrow();
		assertThat(lease.isWanted()).isFalse();
		CompletableFuture<Optional<Lease>> second = waiting(two);
		CompletableFuture<Optional<Lease>> third = waiting(three);

		release(lease);
		HeldLease next = (HeldLease) CompletableFuture.anyOf(second, third)
			.thenApply((any) -> (second.isDone() ? second : third).join().orElseThrow())
			.join();
		assertThat(next.token()).isGreaterThan(lease.token());

		release(next);
		assertThat(second.join()).isPresent();
		assertThat(third.join()).isPresent();
	}

	@Test
	void aReleaseThatNobodyWaitsForIsNotAnnounced() {
		JdbcLeases one = instance("one");
		JdbcLeases two = instance("two");
		HeldLease lease = (HeldLease) one.tryAcquire("a b\u00e4r", LONG).orElseThrow();
		HeldLease other = (HeldLease) one.tryAcquire("other", LONG).orElseThrow();
		CompletableFuture<Optional<Lease>> waiting = waiting(two);
		Await.until("the holder to know", lease::isWanted);
		assertThat(other.isWanted()).isFalse();
		other.close();
		lease.close();
		assertThat(waiting.join()).isPresent();
		Await.until("what was announced", () -> releases() > 0);
		assertThat(releases()).as("that of the lease, and not that of the other, which came before it").isOne();
	}

	private long releases() {
		return this.heard.stream().filter((news) -> news.startsWith("lease-free:")).count();
	}

	/** Its last look, at the end of its time, would come too late. */
	private static CompletableFuture<Optional<Lease>> waiting(JdbcLeases leases) {
		return CompletableFuture
			.supplyAsync(() -> leases.acquire("a b\u00e4r", LONG, LONG), (task) -> new Thread(task, "waits").start())
			.orTimeout(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
	}

	private static void release(HeldLease lease) {
		Await.until("the holder to know that somebody waits", lease::isWanted);
		lease.close();
	}

}
