package io.whizbang.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.whizbang.fanout.FanoutCursor;
import io.whizbang.fanout.FanoutTopic;
import io.whizbang.fanout.TopicPolicy;
import org.jspecify.annotations.Nullable;

/**
 * How fan-outs stand, as JSON.
 *
 * @param fanouts the fan-outs
 * @param policies policies of a fan-out, where they were asked for
 * @param cursors cursors of a fan-out, where they were asked for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record FanoutsBody(List<Fanout> fanouts, @Nullable List<Policy> policies, @Nullable List<Cursor> cursors) {

	static FanoutsBody of(List<FanoutTopic> fanouts) {
		return new FanoutsBody(fanouts.stream().map(Fanout::of).toList(), null, null);
	}

	static FanoutsBody of(FanoutTopic fanout, List<TopicPolicy> policies, List<FanoutCursor> cursors) {
		return new FanoutsBody(List.of(Fanout.of(fanout)), policies.stream().map(Policy::of).toList(),
				cursors.stream().map(Cursor::of).toList());
	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Fanout(String topic, @Nullable String cron, @Nullable String interval, String zone, Instant nextRun,
			@Nullable Instant retryAt, @Nullable Instant startedAt, @Nullable Instant endedAt,
			@Nullable Instant lastUntil, @Nullable Long candidates, @Nullable Long planned, int failures,
			@Nullable String problem, boolean plannerPresent, @Nullable Instant plannerSeenAt, String definedBy) {

		static Fanout of(FanoutTopic fanout) {
			return new Fanout(fanout.topic(), fanout.cron(),
					(fanout.interval() != null) ? fanout.interval().toString() : null, fanout.zone(), fanout.nextRun(),
					fanout.retryAt(), fanout.startedAt(), fanout.endedAt(), fanout.lastUntil(), fanout.candidates(),
					fanout.planned(), fanout.failures(), fanout.problem(), fanout.plannerPresent(), fanout.seenAt(),
					fanout.definedBy());
		}

	}

	record Policy(String workKey, String every, String jitter, boolean edited, Instant updatedAt) {

		static Policy of(TopicPolicy policy) {
			return new Policy(policy.workKey(), policy.policy().every().toString(), policy.policy().jitter().toString(),
					policy.edited(), policy.updatedAt());
		}

	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Cursor(String workKey, String shardKey, @Nullable Instant completedUntil, @Nullable Instant completedAt,
			@Nullable Instant plannedUntil, Instant plannedAt, int plans) {

		static Cursor of(FanoutCursor cursor) {
			return new Cursor(cursor.workKey(), cursor.shardKey(), cursor.completedUntil(), cursor.completedAt(),
					cursor.plannedUntil(), cursor.plannedAt(), cursor.plans());
		}

	}

}
