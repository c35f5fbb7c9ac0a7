package io.whizbang.perspective;

import javax.sql.DataSource;

import io.whizbang.event.StoredEvent;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Writes down what it applies, with JDBC, in the transaction that it is called in.
 */
class RecordingPerspective implements PerspectiveHandler {

	private final String name;

	private int version = 1;

	private int shards = 16;

	private int concurrency = 1;

	private boolean global;

	private Interest interest = PerspectiveFixture.everything();

	private Hook before = (event, run) -> {
	};

	private @Nullable JdbcTemplate jdbc;

	RecordingPerspective(String name) {
		this.name = name;
	}

	RecordingPerspective version(int version) {
		this.version = version;
		return this;
	}

	RecordingPerspective shards(int shards) {
		this.shards = shards;
		return this;
	}

	RecordingPerspective concurrency(int concurrency) {
		this.concurrency = concurrency;
		return this;
	}

	RecordingPerspective asGlobal() {
		this.global = true;
		return this;
	}

	RecordingPerspective wanting(Interest interest) {
		this.interest = interest;
		return this;
	}

	/** What happens before an event is written down. */
	RecordingPerspective before(Hook before) {
		this.before = before;
		return this;
	}

	void use(DataSource dataSource) {
		this.jdbc = new JdbcTemplate(dataSource);
	}

	JdbcTemplate jdbc() {
		JdbcTemplate jdbc = this.jdbc;
		if (jdbc == null) {
			throw new IllegalStateException("The perspective belongs to no instance");
		}
		return jdbc;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public int version() {
		return this.version;
	}

	@Override
	public int shards() {
		return this.shards;
	}

	@Override
	public int concurrency() {
		return this.concurrency;
	}

	@Override
	public boolean global() {
		return this.global;
	}

	@Override
	public Interest interest() {
		return this.interest;
	}

	@Override
	public void apply(StoredEvent event, PerspectiveRun run) throws Exception {
		this.before.run(event, run);
		write(event, run);
	}

	void write(StoredEvent event, PerspectiveRun run) {
		jdbc().update("insert into applied (name, run, stream, version, position, instance) values (?, ?, ?, ?, ?, ?)",
				this.name, run.run(), event.stream().key(), event.version(), event.position(),
				String.valueOf(System.identityHashCode(this)));
	}

	@Override
	public void reset(PerspectiveRun run) {
		jdbc().update("delete from applied where name = ? and run = ?", this.name, run.run());
	}

	@Override
	public void resetStream(StreamId stream, PerspectiveRun run) {
		jdbc().update("delete from applied where name = ? and run = ? and stream = ?", this.name, run.run(),
				stream.key());
	}

	@Override
	public void retire(PerspectiveRun run) {
		jdbc().update("delete from applied where name = ? and run = ?", this.name, run.run());
	}

	/** Happens in the middle of things. */
	interface Hook {

		void run(StoredEvent event, PerspectiveRun run) throws Exception;

	}

}
