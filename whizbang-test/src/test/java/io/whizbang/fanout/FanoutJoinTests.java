package io.whizbang.fanout;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.whizbang.join.Join;
import io.whizbang.join.JoinStatus;
import io.whizbang.join.NewJoin;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.PermanentFailureException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A run whose slices are members of a join.
 */
@PostgresTest
class FanoutJoinTests {

	private static final String KEY = "fanout:etl:" + FanoutFixture.NOON;

	private final PostgresDatabase database;

	private FanoutFixture fixture;

	FanoutJoinTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() {
		this.fixture = new FanoutFixture(this.database);
	}

	@AfterEach
	void tearDown() {
		this.fixture.close();
	}

	@Test
	void oneMessageFollowsWhenAllSlicesOfARunHaveEnded() {
		FanoutInstance app = this.fixture.manual(new Joined(3, Integer.MAX_VALUE));
		app.run();
		Join join = app.joins.findByKey(KEY).orElseThrow();
		assertThat(join).extracting(Join::status, Join::expected).containsExactly(JoinStatus.OPEN, 3);
		app.deliver(new Handler());
		app.joinWorker.runUntilIdle();
		assertThat(app.joins.findByKey(KEY).orElseThrow()).extracting(Join::status, Join::done, Join::failed)
			.containsExactly(JoinStatus.FAILED, 2, 1);
		assertThat(this.fixture.count("select count(*) from whizbang.wh_outbox where topic = 'summary'")).isEqualTo(1);
		this.fixture.clock.advance(Duration.ofMinutes(10));
		app.run();
		assertThat(app.joins.findByKey("fanout:etl:" + FanoutFixture.NOON.plusSeconds(600)).orElseThrow().expected())
			.as("the slice that died is planned again, and belongs to the next run")
			.isEqualTo(3);
	}

	@Test
	void aRunThatIsCutOffAndTakenUpHasOneJoin() {
		FanoutInstance first = this.fixture.manual(new Joined(1200, 1100));
		first.run();
		assertThat(first.heard.failed).isNotEmpty();
		assertThat(first.joins.findByKey(KEY).orElseThrow()).extracting(Join::attached, Join::expected)
			.containsExactly(1000, null);
		this.fixture.clock.advance(Duration.ofMinutes(1));
		FanoutInstance second = this.fixture.manual(new Joined(1200, Integer.MAX_VALUE));
		second.run();
		assertThat(second.joins.findByKey(KEY).orElseThrow().expected()).isEqualTo(1200);
		assertThat(this.fixture.count("select count(distinct message_id) from whizbang.wh_outbox")).isEqualTo(1200);
		assertThat(second.joins.open(null, 10)).hasSize(1);
	}

	@Test
	void aRunWithoutSlicesHasNoJoin() {
		FanoutInstance app = this.fixture.manual(new Joined(0, Integer.MAX_VALUE));
		app.run();
		assertThat(app.heard.ran).containsExactly("etl");
		assertThat(app.joins.findByKey(KEY)).isEmpty();
	}

	@Test
	void slicesGoOutAlsoWhenTheirJoinIsClosed() {
		FanoutInstance app = this.fixture.manual(new Joined(3, Integer.MAX_VALUE));
		app.joins.cancel(app.joins.start(NewJoin.openEnded().key(KEY).build()));
		app.run();
		assertThat(app.heard.ran).containsExactly("etl");
		assertThat(this.fixture.waiting()).hasSize(3);
	}

	/** Candidates that come to an end, or fail, at some place. */
	private record Joined(int count, int failsAt) implements FanoutPlanner {

		@Override
		public String topic() {
			return "etl";
		}

		@Override
		public Stream<FanoutCandidate> candidates() {
			return IntStream.range(0, this.count).mapToObj((n) -> {
				if (n == this.failsAt) {
					throw new IllegalStateException("cut off");
				}
				return new FanoutCandidate("shard-" + n, "work");
			});
		}

		@Override
		public FanoutSchedule schedule(FanoutSchedule configured) {
			return configured.withInterval(Duration.ofMinutes(10)).withPolicy(Duration.ofMinutes(10), Duration.ZERO);
		}

		@Override
		public @Nullable NewJoin join(Instant until) {
			return NewJoin.openEnded().whenEnded("summary").build();
		}

	}

	static class Handler {

		@FanoutHandler(topic = "etl", workKey = "work")
		void work(FanoutSlice slice) {
			if (slice.shardKey().equals("shard-1")) {
				throw new PermanentFailureException("no data");
			}
		}

	}

}
