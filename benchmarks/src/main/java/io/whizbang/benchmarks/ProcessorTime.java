package io.whizbang.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Time on processors that the parties of a measurement have used so far.
 *
 * @param application this process
 * @param database the database's processes
 * @param broker the broker's process
 */
public record ProcessorTime(Duration application, Duration database, Duration broker) {

	private static final int MILLIS_OF_A_TICK = 10;

	/**
	 * Looks now.
	 * @param database the parent of the database's processes
	 * @param broker the broker
	 */
	static ProcessorTime now(ProcessHandle database, ProcessHandle broker) {
		return new ProcessorTime(of(ProcessHandle.current()), ofAll(database), of(broker));
	}

	/**
	 * Looks now, where there is no broker.
	 * @param database the parent of the database's processes
	 * @return the time so far
	 */
	public static ProcessorTime now(ProcessHandle database) {
		return new ProcessorTime(of(ProcessHandle.current()), ofAll(database), Duration.ZERO);
	}

	/**
	 * Finds the parent of the database's processes, which must run on this machine.
	 * @param jdbc a client of the database
	 * @return the parent
	 */
	public static ProcessHandle database(JdbcTemplate jdbc) {
		return jdbc.queryForList("select pg_backend_pid()", Long.class)
			.stream()
			.flatMap((backend) -> ProcessHandle.of(backend).stream())
			.flatMap((backend) -> backend.parent().stream())
			.findFirst()
			.orElseThrow();
	}

	private static Duration ofAll(ProcessHandle database) {
		return Stream.concat(Stream.of(database), database.descendants())
			.map(ProcessorTime::of)
			.reduce(ofEnded(database), Duration::plus);
	}

	/**
	 * Sessions and vacuum workers end meanwhile; where Linux tells, what they have used
	 * is not lost.
	 */
	private static Duration ofEnded(ProcessHandle parent) {
		try {
			String stat = Files.readString(Path.of("/proc", Long.toString(parent.pid()), "stat"));
			String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
			return Duration.ofMillis((Long.parseLong(fields[13]) + Long.parseLong(fields[14])) * MILLIS_OF_A_TICK);
		}
		catch (IOException ex) {
			return Duration.ZERO;
		}
	}

	private static Duration of(ProcessHandle process) {
		return process.info().totalCpuDuration().orElse(Duration.ZERO);
	}

	public ProcessorTime since(ProcessorTime before) {
		return new ProcessorTime(this.application.minus(before.application), this.database.minus(before.database),
				this.broker.minus(before.broker));
	}

	public Duration total() {
		return this.application.plus(this.database).plus(this.broker);
	}

}
