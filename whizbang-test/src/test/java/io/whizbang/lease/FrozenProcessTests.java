package io.whizbang.lease;

import java.time.Duration;

import io.whizbang.process.ChildProcess;
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

	private final JdbcLeases here;

	private final ChildProcess process;

	/** A loss that was told before the answer to a command. */
	private boolean called;

	FrozenProcessTests(PostgresDatabase database) {
		this.here = new LeaseFixture(database).instance("here");
		this.process = ChildProcess.start(FrozenHolder.class, database, "a", "PT3S");
	}

	@AfterEach
	void end() throws Exception {
		this.process.kill();
		this.here.releaseAll();
	}

	@Test
	void aHolderThatWakesAfterItsTimeStopsAtItsNextStepAndChangesNothing() throws Exception {
		String first = this.process.answer();
		assertThat(first).startsWith("token ");
		long token = Long.parseLong(first.substring("token ".length()));
		assertThat(tell("step")).isEqualTo("step done");
		assertThat(this.here.tryAcquire("a", Duration.ofMinutes(1))).isEmpty();

		this.process.freeze();
		Lease successor = this.here.acquire("a", Duration.ofMinutes(1), Duration.ofSeconds(20)).orElseThrow();
		assertThat(successor.token()).isGreaterThan(token);
		this.process.wake();

		assertThat(tell("step")).isEqualTo("lost " + token);
		assertThat(this.called || this.process.answer().equals("callback")).isTrue();
		assertThat(tell("renew")).isEqualTo("renewed false");
		assertThat(tell("close")).isEqualTo("close done");
		assertThat(this.here.find("a").orElseThrow().token()).isEqualTo(successor.token());
		assertThat(successor.renewNow()).isTrue();
	}

	private String tell(String command) throws InterruptedException {
		this.process.tell(command);
		String answer = this.process.answer();
		if (answer.equals("callback")) {
			this.called = true;
			answer = this.process.answer();
		}
		return answer;
	}

}
