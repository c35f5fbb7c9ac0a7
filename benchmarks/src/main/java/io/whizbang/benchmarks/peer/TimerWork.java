package io.whizbang.benchmarks.peer;

import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.benchmarks.Measurements;
import io.whizbang.benchmarks.TimerComparison;

/**
 * The comparison of timers, which has both of its sides in one virtual machine.
 */
final class TimerWork implements Work {

	private final HikariDataSource dataSource;

	TimerWork(String url) {
		this.dataSource = Pools.create(url);
	}

	@Override
	public String version() {
		return "those above";
	}

	@Override
	public String settings() {
		return "as in benchmarks/README.md";
	}

	@Override
	public boolean keepsOrder() {
		return false;
	}

	@Override
	public Answer perform(Command command) {
		Measurements measurements = new Measurements();
		new TimerComparison(this.dataSource).run(command.number("rounds"),
				Duration.ofSeconds(command.number("seconds")), measurements);
		Answer answer = new Answer();
		measurements.figures().forEach((name, rounds) -> {
			for (int round = 0; round < rounds.size(); round++) {
				answer.with(name + "#" + round, rounds.get(round));
			}
		});
		return answer;
	}

	@Override
	public void close() {
		this.dataSource.close();
	}

}
