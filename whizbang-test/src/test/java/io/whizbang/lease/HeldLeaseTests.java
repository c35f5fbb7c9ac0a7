package io.whizbang.lease;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an instance knows of its lease by nothing but its own monotonic clock.
 */
@PostgresTest
class HeldLeaseTests {

	private static final long SECOND = Duration.ofSeconds(1).toNanos();

	private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5 * SECOND);

	private final LeaseKeeper keeper;

	HeldLeaseTests(PostgresDatabase database) {
		this.keeper = new LeaseKeeper(new LeaseFixture(database).table(), LeaseListener.NONE, null, this.now::get);
	}

	private HeldLease lease(LeaseSettings settings) {
		return new HeldLease("a", UUID.randomUUID(), 1, LeaseOptions.lasting(Duration.ofSeconds(100)), settings,
				this.keeper, this.now.get(), this.now::get);
	}

	@Test
	void isOverALittleBeforeTheDatabaseThinksSoCountedFromTheQuestion() {
		HeldLease lease = lease(LeaseSettings.defaults());
		this.now.addAndGet(99 * SECOND - 1);
		assertThat(lease.isHeld()).isTrue();
		this.now.addAndGet(1);
		assertThat(lease.isHeld()).isFalse();
	}

	@Test
	void isRenewedAtSixtyPercentOrALittleEarlier() {
		for (int i = 0; i < 100; i++) {
			assertThat(lease(LeaseSettings.defaults()).renewal() - this.now.get()).isBetween(54 * SECOND, 60 * SECOND);
		}
		assertThat(lease(LeaseSettings.defaults().withRenewal(0.25, 0)).renewal() - this.now.get())
			.isEqualTo(25 * SECOND);
	}

	@Test
	void lastsFromTheQuestionForTheRenewalNotFromItsAnswer() {
		HeldLease lease = lease(LeaseSettings.defaults());
		this.now.addAndGet(60 * SECOND);
		long asked = this.now.get();
		this.now.addAndGet(30 * SECOND);
		assertThat(lease.renewed(asked)).isTrue();
		assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(69));
	}

	@Test
	void anEarlierRenewalWhoseAnswerComesLastShortensNothing() {
		HeldLease lease = lease(LeaseSettings.defaults());
		long first = this.now.addAndGet(10 * SECOND);
		long second = this.now.addAndGet(10 * SECOND);
		assertThat(lease.renewed(second)).isTrue();
		assertThat(lease.renewed(first)).isTrue();
		assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(99));
	}

	@Test
	void anAnswerThatComesAfterAPauseOfTheProcessReturnsNothing() {
		HeldLease lease = lease(LeaseSettings.defaults());
		AtomicInteger calls = new AtomicInteger();
		lease.onLost(calls::incrementAndGet);
		long asked = this.now.addAndGet(60 * SECOND);
		this.now.addAndGet(45 * SECOND);
		assertThat(lease.renewed(asked)).as("the old time was over before the answer came").isFalse();
		assertThat(lease.isHeld()).isFalse();
	}

	@Test
	void whatIsLostStaysLost() {
		HeldLease lease = lease(LeaseSettings.defaults());
		this.now.addAndGet(100 * SECOND);
		assertThat(lease.isHeld()).isFalse();
		this.now.addAndGet(-100 * SECOND);
		assertThat(lease.isHeld()).isFalse();
		assertThat(lease.renewed(this.now.get())).isFalse();
		assertThat(lease.renewNow()).isFalse();
	}

}
