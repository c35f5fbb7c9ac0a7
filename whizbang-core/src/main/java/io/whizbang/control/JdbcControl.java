package io.whizbang.control;

import java.time.Instant;
import java.util.List;

import javax.sql.DataSource;

import io.whizbang.coordinator.JdbcCalls;
import io.whizbang.letter.Operator;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Asks the database what operators want to know. What it costs depends on the page, not
 * on the backlog.
 */
public final class JdbcControl {

	/** So many rows come at once at most. */
	public static final int MAX_PAGE = 1000;

	private static final int TIMEOUT_SECONDS = 5;

	private static final Instant LONG_AGO = Instant.EPOCH;

	private final JdbcCalls calls;

	/**
	 * Creates a reader.
	 * @param dataSource where the schema is
	 * @param schema the schema's name
	 */
	public JdbcControl(DataSource dataSource, String schema) {
		this.calls = new JdbcCalls(dataSource, schema, TIMEOUT_SECONDS);
	}

	/**
	 * Lists who shares the queues.
	 * @return the registrations, those of one process together
	 */
	public List<Registration> registrations() {
		return this.calls.apart("list_instances(?)", (arguments) -> arguments.count(MAX_PAGE),
				(rows) -> new ControlRows(rows).registration());
	}

	/**
	 * Lists streams whose first message waits, in the order in which these are due.
	 * @param queue the queue
	 * @param after only those behind this one, or {@code null} for the first
	 * @param limit how many at most, up to {@link #MAX_PAGE}
	 * @return the streams
	 */
	public List<BlockedStream> blockedStreams(Queue queue, @Nullable Place after, int limit) {
		Assert.isTrue(limit >= 1 && limit <= MAX_PAGE,
				() -> "The limit must be from 1 to %d but is %d".formatted(MAX_PAGE, limit));
		return this.calls.apart("list_blocked_streams(?::smallint, ?, ?, ?, ?)",
				(arguments) -> arguments.count(queue.number())
					.time((after != null) ? after.due() : LONG_AGO)
					.number((after != null) ? after.seq() : 0L)
					.count(limit)
					.count(BlockedStream.MAX_BEHIND),
				(rows) -> new ControlRows(rows).blocked(queue));
	}

	List<PausedWorker> paused() {
		return this.calls.apart("list_paused_workers()", (arguments) -> {
		}, (rows) -> new ControlRows(rows).paused());
	}

	boolean pause(String worker, Operator by) {
		return this.calls
			.apart("pause_worker(?, ?, ?)", (arguments) -> arguments.text(worker).text(by.name()).text(by.note()),
					(rows) -> rows.getBoolean(1))
			.get(0);
	}

	boolean resume(String worker) {
		return this.calls.apart("resume_worker(?)", (arguments) -> arguments.text(worker), (rows) -> rows.getBoolean(1))
			.get(0);
	}

	/**
	 * A place in the order in which streams are due.
	 *
	 * @param due when the first message is due
	 * @param seq its place in the queue
	 */
	public record Place(Instant due, long seq) {
	}

}
