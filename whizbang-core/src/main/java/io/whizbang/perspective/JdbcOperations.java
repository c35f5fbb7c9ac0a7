package io.whizbang.perspective;

import java.util.List;

import io.whizbang.coordinator.JdbcCalls;
import io.whizbang.letter.Operator;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * The statements behind what operators see and do; each is a transaction of its own.
 */
final class JdbcOperations {

	private final JdbcCalls calls;

	JdbcOperations(JdbcCalls calls) {
		this.calls = calls;
	}

	List<PerspectiveStatus> status(@Nullable String name) {
		return this.calls.apart("perspective_status(?)", (arguments) -> arguments.text(name),
				(rows) -> new StatusRows(rows).status());
	}

	List<StoppedStream> stopped(String name, @Nullable StreamId after, int limit) {
		return this.calls.apart("perspective_failures(?, ?, ?)",
				(arguments) -> arguments.text(name).other((after != null) ? after.value() : null).count(limit),
				(rows) -> new StatusRows(rows).stopped(name));
	}

	@Nullable PerspectiveRun serving(String name) {
		List<PerspectiveRun> serving = this.calls.apart("serving_run(?)", (arguments) -> arguments.text(name),
				(rows) -> new StatusRows(rows).run(name));
		return serving.isEmpty() ? null : serving.get(0);
	}

	/**
	 * Says whether the run that serves has an event behind it; {@code null} when the
	 * event is not committed.
	 */
	@Nullable Boolean has(String name, StreamId stream, long version) {
		List<String> has = this.calls.apart("perspective_has(?, ?, ?)",
				(arguments) -> arguments.text(name).other(stream.value()).number(version),
				(rows) -> String.valueOf(rows.getString(1)));
		return switch (has.get(0)) {
			case "t" -> true;
			case "f" -> false;
			default -> null;
		};
	}

	boolean pause(String name, boolean paused) {
		return flag(this.calls.apart("pause_perspective(?, ?)", (arguments) -> arguments.text(name).flag(paused),
				(rows) -> rows.getBoolean(1)));
	}

	boolean retry(String name, StreamId stream, Operator by) {
		return flag(this.calls.apart("retry_perspective_stream(?, ?, ?, ?)",
				(arguments) -> arguments.text(name).other(stream.value()).text(by.name()).text(by.note()),
				(rows) -> rows.getBoolean(1)));
	}

	boolean skip(String name, StreamId stream, long version, Operator by) {
		return flag(this.calls.apart("skip_perspective_event(?, ?, ?, ?, ?)",
				(arguments) -> arguments.text(name)
					.other(stream.value())
					.number(version)
					.text(by.name())
					.text(by.note()),
				(rows) -> rows.getBoolean(1)));
	}

	private static boolean flag(List<Boolean> answer) {
		return answer.get(0);
	}

}
