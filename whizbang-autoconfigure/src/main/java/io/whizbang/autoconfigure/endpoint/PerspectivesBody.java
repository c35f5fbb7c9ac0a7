package io.whizbang.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.whizbang.perspective.PerspectiveStatus;
import io.whizbang.perspective.StoppedStream;
import org.jspecify.annotations.Nullable;

/**
 * How perspectives stand, as JSON.
 *
 * @param runs the runs that serve, and those that are being built
 * @param stopped streams that have stopped, where they were asked for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record PerspectivesBody(List<Run> runs, @Nullable List<Stopped> stopped) {

	static List<Run> runs(List<PerspectiveStatus> runs) {
		return runs.stream().map(Run::of).toList();
	}

	static List<Stopped> streams(List<StoppedStream> streams) {
		return streams.stream().map(Stopped::of).toList();
	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Run(String name, int version, int run, String state, boolean paused, int shards, int held, long done,
			long total, long behind, int retrying, int dead, double eventsPerSecond, @Nullable Long secondsLeft,
			Instant startedAt, @Nullable Instant movedAt) {

		static Run of(PerspectiveStatus status) {
			return new Run(status.run().name(), status.run().version(), status.run().run(),
					status.state().name().toLowerCase(Locale.ROOT), status.paused(), status.shards(), status.held(),
					status.done(), status.total(), status.behind(), status.retrying(), status.dead(), status.rate(),
					(status.timeLeft() != null) ? status.timeLeft().toSeconds() : null, status.startedAt(),
					status.movedAt());
		}

	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Stopped(int run, String stream, long version, String state, int attempts, @Nullable Instant nextAttemptAt,
			@Nullable Instant failedAt, @Nullable String error) {

		static Stopped of(StoppedStream stream) {
			return new Stopped(stream.run().run(), stream.stream().key(), stream.version(),
					stream.dead() ? "dead" : "retrying", stream.attempts(), stream.nextAttemptAt(), stream.failedAt(),
					stream.error());
		}

	}

}
