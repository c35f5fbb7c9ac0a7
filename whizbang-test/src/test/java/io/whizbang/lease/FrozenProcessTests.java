package io.whizbang.lease;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that holds a lease is frozen, as by a debugger, a long pause or an overloaded
 * machine, and wakes when somebody else has the lease.
 */
@PostgresTest
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no SIGSTOP")
class FrozenProcessTests {

	private final PostgresDatabase database;

	private final LeaseFixture fixture;

	private final JdbcLeases here;

	private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

	private final Process process;

	private final PrintWriter commands;

	FrozenProcessTests(PostgresDatabase database) throws IOException {
		this.database = database;
		this.fixture = new LeaseFixture(database);
		this.here = this.fixture.instance("here");
		this.process = start();
		this.commands = new PrintWriter(this.process.getOutputStream(), true, StandardCharsets.UTF_8);
		CompletableFuture.runAsync(() -> this.process.inputReader()
			.lines()
			.filter((line) -> line.startsWith(FrozenHolder.MARK))
			.forEach((line) -> this.said.add(line.substring(FrozenHolder.MARK.length()))));
	}

	private Process start() throws IOException {
		ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				FrozenHolder.class.getName(), this.database.jdbcUrl(), this.database.server().username(), "a", "PT3S");
		String password = this.database.server().password();
		if (password != null) {
			builder.environment().put(FrozenHolder.PASSWORD_VARIABLE, password);
		}
		return builder.redirectErrorStream(true).start();
	}

	@AfterEach
	void end() throws Exception {
		this.process.destroyForcibly().waitFor();
		this.here.releaseAll();
	}

	@Test
	void aHolderThatWakesAfterItsTimeStopsAtItsNextStepAndChangesNothing() throws Exception {
		String first = answer();
		assertThat(first).startsWith("token ");
		long token = Long.parseLong(first.substring("token ".length()));
		assertThat(tell("step")).isEqualTo("step done");
		assertThat(this.here.tryAcquire("a", Duration.ofMinutes(1))).isEmpty();

		signal("STOP");
		Lease successor = this.here.acquire("a", Duration.ofMinutes(1), Duration.ofSeconds(20)).orElseThrow();
		assertThat(successor.token()).isGreaterThan(token);
		signal("CONT");

		assertThat(tell("step")).isEqualTo("lost " + token);
		assertThat(answer()).isEqualTo("callback");
		assertThat(tell("renew")).isEqualTo("renewed false");
		assertThat(tell("close")).isEqualTo("close done");
		assertThat(this.here.find("a").orElseThrow().token()).isEqualTo(successor.token());
		assertThat(successor.renewNow()).isTrue();
	}

	private String tell(String command) throws InterruptedException {
		this.commands.println(command);
		String answer = answer();
		if (answer.equals("callback")) {
			// It may come before the answer to the step, or after it.
			String next = answer();
			this.said.add(answer);
			return next;
		}
		return answer;
	}

	private String answer() throws InterruptedException {
		String answer = this.said.poll(60, TimeUnit.SECONDS);
		assertThat(answer).as("answer of the process").isNotNull();
		return answer;
	}

	private void signal(String name) throws Exception {
		Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(this.process.pid())).start();
		assertThat(kill.waitFor()).isZero();
	}

}
