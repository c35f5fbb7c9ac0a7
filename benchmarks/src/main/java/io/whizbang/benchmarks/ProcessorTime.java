package io.whizbang.benchmarks;

import java.time.Duration;
import java.util.stream.Stream;

/**
 * Time on processors that the parties of a measurement have used so far.
 *
 * @param application this process
 * @param database the database's processes
 * @param broker the broker's process
 */
record ProcessorTime(Duration application, Duration database, Duration broker) {

	/**
	 * Looks now.
	 * @param database the parent of the database's processes
	 * @param broker the broker
	 */
	static ProcessorTime now(ProcessHandle database, ProcessHandle broker) {
		return new ProcessorTime(of(ProcessHandle.current()),
				Stream.concat(Stream.of(database), database.descendants())
					.map(ProcessorTime::of)
					.reduce(Duration.ZERO, Duration::plus),
				of(broker));
	}

	private static Duration of(ProcessHandle process) {
		return process.info().totalCpuDuration().orElse(Duration.ZERO);
	}

	ProcessorTime since(ProcessorTime before) {
		return new ProcessorTime(this.application.minus(before.application), this.database.minus(before.database),
				this.broker.minus(before.broker));
	}

	Duration total() {
		return this.application.plus(this.database).plus(this.broker);
	}

}
