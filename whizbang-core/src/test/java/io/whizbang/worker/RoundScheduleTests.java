package io.whizbang.worker;

import java.time.Duration;
import java.util.Set;

import io.whizbang.coordinator.ClaimedWork;
import io.whizbang.coordinator.WorkBatch;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RoundScheduleTests {

	private static final LaneState IDLE = new LaneState(0, 0, 0, -1, -1, false, Long.MAX_VALUE);

	private static final LaneState SETTLED = new LaneState(0, 1, 0, 0, 0, false, Long.MAX_VALUE);

	private static final LaneState RENEWING = new LaneState(1, 1, 1, -1, -1, true, Long.MAX_VALUE);

	private final RoundSchedule schedule = new RoundSchedule(WorkerSettings.defaults(), Duration.ofSeconds(10),
			() -> true);

	@Test
	void restsAsLongAsTheLastExchangeTookWhileMessagesKeepComing() {
		exchange(millis(100), millis(101), false);
		this.schedule.signal();
		assertThat(this.schedule.untilNext(millis(101), IDLE)).isEqualTo(millis(1));
		assertThat(this.schedule.untilNext(millis(102), IDLE)).isZero();
	}

	@Test
	void restsBeforeReportsAsWell() {
		exchange(millis(100), millis(101), false);
		this.schedule.signal();
		assertThat(this.schedule.untilNext(millis(101), SETTLED)).isEqualTo(millis(1));
	}

	@Test
	void doesNotLetWaitWhoComesAfterAWhile() {
		exchange(millis(100), millis(101), false);
		this.schedule.signal();
		assertThat(this.schedule.untilNext(millis(150), IDLE)).isZero();
	}

	@Test
	void doesNotRestBetweenClaimsOfABacklog() {
		exchange(millis(100), millis(101), true);
		assertThat(this.schedule.untilNext(millis(101), IDLE)).isZero();
	}

	@Test
	void doesNotRestWhenALeaseIsToBeRenewed() {
		exchange(millis(100), millis(101), false);
		assertThat(this.schedule.untilNext(millis(101), RENEWING)).isZero();
	}

	@Test
	void restsShortlyAfterAnExchangeThatTookLong() {
		exchange(millis(100), millis(900), false);
		this.schedule.signal();
		assertThat(this.schedule.untilNext(millis(900), IDLE)).isEqualTo(millis(2));
	}

	private void exchange(long asked, long answered, boolean more) {
		this.schedule.asking(100);
		this.schedule.answered(asked, answered, 100, new WorkBatch(false, null, null, ClaimedWork.NONE, Set.of(),
				Set.of(), more, false, null, 1, 0, 1, 0, 0, Set.of(), null));
	}

	private static long millis(long millis) {
		return Duration.ofMillis(millis).toNanos();
	}

}
