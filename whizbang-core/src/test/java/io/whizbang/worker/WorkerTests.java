package io.whizbang.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.whizbang.work.Outcome;
import io.whizbang.work.Work;
import io.whizbang.worker.WorkerStatus.State;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerTests {

	private final FakeCoordinator database = new FakeCoordinator(PumpFixture.LEASE, System::nanoTime);

	private final RecordingHandler handler = new RecordingHandler();

	private final ExecutorService pool = Executors.newCachedThreadPool();

	private final List<Worker> workers = new ArrayList<>();

	@AfterEach
	void stop() {
		this.workers.forEach(Worker::stop);
		this.pool.shutdownNow();
	}

	@Test
	void handlesWhatIsSignalled() {
		Worker worker = started();
		await(() -> this.database.instances().size() == 1);
		long seq = this.database.enqueue("a");
		worker.pump().signal();
		await(() -> this.database.left() == 0);
		assertThat(this.handler.started).containsExactly(seq);
	}

	@Test
	void letsRunningWorkEndReportsItAndLeavesWhenStopped() throws Exception {
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		long slow = this.database.enqueue("a");
		long behind = this.database.enqueue("a");
		this.handler.behaviour.put(slow, (work) -> {
			inside.countDown();
			awaitQuietly(end);
			return Outcome.DONE;
		});
		Worker worker = started();
		assertThat(inside.await(10, TimeUnit.SECONDS)).isTrue();
		worker.beginStop();
		assertThat(worker.status().state()).isEqualTo(State.STOPPING);
		end.countDown();
		worker.stop();
		assertThat(this.handler.started).containsExactly(slow);
		assertThat(this.database.done).containsExactly(slow);
		assertThat(this.database.claimOf(behind)).isNull();
		assertThat(this.database.instances()).isEmpty();
		assertThat(worker.status().state()).isEqualTo(State.STOPPED);
	}

	@Test
	void givesUpOnWorkThatDoesNotEndInTime() throws Exception {
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch interrupted = new CountDownLatch(1);
		CompletableFuture<Void> stopped = new CompletableFuture<>();
		this.database.enqueue("a");
		this.handler.otherwise = (work) -> {
			inside.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
			}
			// Had it ended before the farewell, it would count as done.
			stopped.join();
			return Outcome.DONE;
		};
		Worker worker = started(settings().withDrainTimeout(Duration.ofMillis(10)));
		assertThat(inside.await(10, TimeUnit.SECONDS)).isTrue();
		worker.stop();
		assertThat(this.database.instances()).isEmpty();
		assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.database.left()).isEqualTo(1);
		stopped.complete(null);
	}

	@Test
	void leavesItsShareToOthersWhilePausedAndComesBack() {
		Worker worker = started();
		await(() -> this.database.instances().size() == 1);
		worker.pause();
		assertThat(this.database.instances()).isEmpty();
		assertThat(worker.status().state()).isEqualTo(State.PAUSED);
		this.database.enqueue("a");
		worker.pump().signal();
		worker.start();
		assertThat(worker.status().state()).isEqualTo(State.PAUSED);
		worker.resume();
		await(() -> this.database.left() == 0);
		assertThat(worker.status().state()).isEqualTo(State.RUNNING);
		assertThat(worker.status().members()).isEqualTo(1);
	}

	@Test
	void startsAgainAfterAStop() {
		Worker worker = started();
		worker.stop();
		this.database.enqueue("a");
		worker.start();
		await(() -> this.database.left() == 0);
	}

	@Test
	void goesOnWhenTheDatabaseComesBack() {
		this.database.failBefore = new IllegalStateException("away");
		Worker worker = started();
		await(() -> worker.status().consecutiveFailures() > 0);
		this.database.enqueue("a");
		this.database.failBefore = null;
		await(() -> this.database.left() == 0);
		await(() -> worker.status().consecutiveFailures() == 0);
	}

	@Test
	void stopsEvenIfTheDatabaseIsAway() {
		Worker worker = started();
		await(() -> this.database.instances().size() == 1);
		this.database.failBefore = new IllegalStateException("away");
		worker.stop();
		assertThat(worker.status().state()).isEqualTo(State.STOPPED);
	}

	@Test
	void startsAndStopsWithTheApplication() {
		Worker worker = new Worker(pump(settings()));
		WorkerLifecycle lifecycle = new WorkerLifecycle(List.of(worker), null, null);
		lifecycle.start();
		await(() -> this.database.instances().size() == 1);
		assertThat(lifecycle.isRunning()).isTrue();
		CountDownLatch stopped = new CountDownLatch(1);
		lifecycle.stop(stopped::countDown);
		await(() -> stopped.getCount() == 0);
		assertThat(lifecycle.isRunning()).isFalse();
		assertThat(this.database.instances()).isEmpty();
	}

	@Test
	void keepsOrderAndLosesNothingWithManyWorkersThatComeAndGo() {
		long seed = Long.getLong("whizbang.seed", new Random().nextLong());
		Random random = new Random(seed);
		Map<Long, String> streams = new ConcurrentHashMap<>();
		Map<String, List<Long>> first = new ConcurrentHashMap<>();
		this.handler.otherwise = (work) -> handleAtRandom(work, streams, first);
		for (int i = 0; i < 3; i++) {
			started();
		}
		Map<String, List<Long>> expected = new HashMap<>();
		for (int i = 0; i < 3000; i++) {
			String stream = "stream-" + random.nextInt(40);
			long seq = this.database.enqueueAs(stream, streams);
			expected.computeIfAbsent(stream, (name) -> new ArrayList<>()).add(seq);
			if (i % 100 == 0) {
				this.workers.forEach((worker) -> worker.pump().signal());
			}
			if (i % 500 == 250) {
				Worker worker = this.workers.get(random.nextInt(3));
				worker.pause();
				worker.resume();
			}
		}
		await(() -> this.database.left() == 0);
		assertThat(first).as("seed " + seed).isEqualTo(expected);
	}

	private static Outcome handleAtRandom(Work work, Map<Long, String> streams, Map<String, List<Long>> first) {
		String stream = streams.getOrDefault(work.seq(), "unknown");
		List<Long> seqs = first.computeIfAbsent(stream, (name) -> Collections.synchronizedList(new ArrayList<>()));
		if (!seqs.contains(work.seq())) {
			seqs.add(work.seq());
		}
		return (work.attempts() == 0 && work.seq() % 17 == 0) ? new Outcome.Retry(Duration.ofMillis(20), "once")
				: Outcome.DONE;
	}

	private Worker started() {
		return started(settings());
	}

	private Worker started(WorkerSettings settings) {
		Worker worker = new Worker(pump(settings));
		this.workers.add(worker);
		worker.start();
		return worker;
	}

	private WorkPump pump(WorkerSettings settings) {
		return PumpFixture.pump(this.database, this.handler, settings, this.pool, () -> false, System::nanoTime);
	}

	private static WorkerSettings settings() {
		return WorkerSettings.defaults().withBatchSize(50).withConcurrency(4);
	}

	private static void await(BooleanSupplier condition) {
		Waker waker = new Waker();
		long start = System.nanoTime();
		while (!condition.getAsBoolean()) {
			assertThat(System.nanoTime() - start).as("time waited").isLessThan(TimeUnit.SECONDS.toNanos(20));
			waker.await(Duration.ofMillis(1));
		}
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
