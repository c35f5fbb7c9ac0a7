package io.whizbang.timer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Timers fire and are delivered on time, whichever instance scheduled them: polls come
 * every two minutes here.
 */
@PostgresTest
class LatenessTests {

	private static final Logger logger = LoggerFactory.getLogger(LatenessTests.class);

	private final PostgresDatabase database;

	private final Firings firings;

	private final List<TimerWorker> workers = new ArrayList<>();

	LatenessTests(PostgresDatabase database) {
		this.database = database;
		TimerFixture.install(database);
		this.firings = Firings.watch(database.jdbc());
	}

	private void start(int count) {
		for (int i = 0; i < count; i++) {
			this.workers.add(new TimerWorker(this.database));
		}
		Await.until("all know of each other", () -> {
			this.workers.forEach(TimerWorker::look);
			return this.workers.stream().allMatch((worker) -> worker.knows(count));
		});
	}

	private boolean delivered(List<TimerId> ids) {
		return ids.stream()
			.allMatch((id) -> this.workers.stream().anyMatch((worker) -> worker.delivered().containsKey(id)));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3 })
	void timersAreDeliveredOnTimeByHoweverManyInstances(int count) {
		try {
			start(count);
			List<TimerId> ids = new ArrayList<>();
			long start = System.nanoTime();
			for (int i = 0; i < 200; i++) {
				ids.add(this.workers.get(i % count).timers.schedule("test", i,
						Duration.ofMillis(100 + 7L * (i % 100))));
			}
			Await.until(() -> "all " + ids.size() + " are delivered", Duration.ofSeconds(10), () -> delivered(ids));
			Duration took = Duration.ofNanos(System.nanoTime() - start);
			double p99 = this.firings.late(0.99);
			logger.info("{} instances: fired late by {} ms at the median, {} ms at p99, all delivered after {}", count,
					this.firings.late(0.5), p99, took);
			assertThat(p99).as("milliseconds late at p99").isLessThan(500);
			assertThat(this.firings.early()).isZero();
			assertThat(this.firings.counts().values()).containsOnly(1);
			for (TimerWorker worker : this.workers) {
				for (Map.Entry<TimerId, AtomicInteger> delivery : worker.delivered().entrySet()) {
					assertThat(delivery.getValue()).hasValue(1);
				}
			}
		}
		finally {
			this.workers.forEach(TimerWorker::close);
			this.workers.clear();
		}
	}

	@Test
	void sleepingInstanceWakesForAnEarlierTimerOfAnotherOne() {
		try {
			start(2);
			TimerWorker one = this.workers.get(0);
			List<TimerId> ids = new ArrayList<>();
			one.timers.schedule("test", "far", Duration.ofSeconds(50));
			for (int i = 0; i < 20; i++) {
				ids.add(one.timers.schedule("test", i, Duration.ofMillis(300)));
			}
			Await.until(() -> "all are delivered", Duration.ofSeconds(10), () -> delivered(ids));
			assertThat(this.workers.get(1).delivered()).as("the share of the other one").isNotEmpty();
		}
		finally {
			this.workers.forEach(TimerWorker::close);
			this.workers.clear();
		}
	}

}
