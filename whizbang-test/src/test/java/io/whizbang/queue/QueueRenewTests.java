package io.whizbang.queue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class QueueRenewTests {

	private final QueueFixture fixture;

	QueueRenewTests(PostgresDatabase database) {
		this.fixture = new QueueFixture(database);
	}

	@AfterEach
	void tearDown() {
		this.fixture.close();
	}

	@Test
	void aLockIsNotLostBecauseSomebodyLooksAtItsKeyForAMoment() throws Exception {
		this.fixture.queues.enqueue("pictures", "customer", "one");
		QueueBatch batch = this.fixture.queues.dequeueBatch("pictures", Duration.ofMinutes(5)).orElseThrow();
		CompletableFuture<Void> renewal = this.fixture.transaction.execute((status) -> {
			this.fixture.jdbc.queryForList("select from whizbang.wh_queue_keys for update");
			CompletableFuture<Void> renewing = CompletableFuture
				.runAsync(() -> this.fixture.queues.renew(batch, Duration.ofMinutes(10)));
			Await.until("somebody has asked", () -> asked() || renewing.isDone());
			return renewing;
		});
		assertThat(renewal).isNotNull();
		assertThat(renewal).succeedsWithin(30, TimeUnit.SECONDS);
		this.fixture.queues.ack(batch);
	}

	private boolean asked() {
		return this.fixture.count("""
				select count(*) from pg_stat_activity
				where datname = current_database() and query like '%renew_batches%' and pid <> pg_backend_pid()""") > 0;
	}

}
