package io.whizbang.benchmarks.chaos;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

import io.whizbang.event.StoredEvent;
import io.whizbang.perspective.Interest;
import io.whizbang.perspective.PerspectiveHandler;
import io.whizbang.perspective.PerspectiveRun;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Writes down every event that it applies and keeps a fold of every stream. Nothing in
 * its tables keeps it from applying an event twice. Fails now and then, and sometimes
 * takes longer than its lease.
 */
class StormPerspective implements PerspectiveHandler {

	/** Over all streams, many events at once. */
	static final String GLOBAL = "storm-global";

	/** Divided, event by event. */
	static final String SHARDED = "storm-sharded";

	private static final String NOTE = "insert into storm_applied (name, stream_id, version, position) values (?, ?, ?, ?)";

	private static final String FOLD = """
			insert into storm_fold as f (name, stream_id, events, fold) values (?, ?, 1, ?)
			on conflict (name, stream_id) do update
			set events = f.events + 1, fold = (f.fold * 31 + excluded.fold) % 2147483647""";

	private final String name;

	private final JdbcTemplate jdbc;

	private StormPerspective(String name, JdbcTemplate jdbc) {
		this.name = name;
		this.jdbc = jdbc;
	}

	static StormPerspective sharded(JdbcTemplate jdbc) {
		return new StormPerspective(SHARDED, jdbc);
	}

	static StormPerspective global(JdbcTemplate jdbc) {
		return new Together(jdbc);
	}

	@Override
	public final String name() {
		return this.name;
	}

	@Override
	public int concurrency() {
		return global() ? 1 : 2;
	}

	@Override
	public final Interest interest() {
		return (name, type) -> true;
	}

	@Override
	public final void apply(StoredEvent event, PerspectiveRun run) {
		write(List.of(event));
		trouble(4000);
	}

	final void write(List<StoredEvent> events) {
		this.jdbc.batchUpdate(NOTE, events.stream()
			.map((event) -> new Object[] { this.name, event.stream().value(), event.version(), event.position() })
			.toList());
		this.jdbc.batchUpdate(FOLD, events.stream()
			.map((event) -> new Object[] { this.name, event.stream().value(), ((Happened) event.payload()).value() })
			.toList());
	}

	static void trouble(int seldom) {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		if (random.nextInt(seldom) == 0) {
			throw new IllegalStateException("Bad luck");
		}
		if (random.nextInt(5 * seldom) == 0) {
			LockSupport.parkNanos(Duration.ofMillis(random.nextInt(8000)).toNanos());
		}
	}

	/** Applies what is in a page by one call. */
	private static final class Together extends StormPerspective {

		Together(JdbcTemplate jdbc) {
			super(GLOBAL, jdbc);
		}

		@Override
		public boolean global() {
			return true;
		}

		@Override
		public void applyAll(List<StoredEvent> events, PerspectiveRun run) {
			write(events);
			trouble(100);
		}

	}

}
