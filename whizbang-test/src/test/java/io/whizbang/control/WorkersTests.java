package io.whizbang.control;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.whizbang.letter.Operator;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.worker.Pausable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * A worker that somebody pauses stops on every instance, and stays so over restarts.
 */
@PostgresTest
@ExtendWith(OutputCaptureExtension.class)
class WorkersTests {

	private static final Operator ADA = Operator.named("ada").noting("the provider is down");

	private final ControlFixture fixture;

	private final Instance one;

	private final Instance two;

	WorkersTests(PostgresDatabase database) {
		this.fixture = new ControlFixture(database);
		this.one = new Instance();
		this.two = new Instance();
	}

	@AfterEach
	void stop() {
		this.one.keeper.stop();
		this.two.keeper.stop();
	}

	@Test
	void pausesAndResumesOnAllInstances() {
		this.one.keeper.start();
		this.two.keeper.start();
		assertThat(this.one.workers.pause("outbox", ADA)).isTrue();
		assertThat(this.one.workers.pause("outbox", ADA)).isFalse();
		this.two.keeper.look();
		Await.until("a pause here", () -> this.one.outbox.did.equals(List.of("pause")));
		Await.until("a pause there", () -> this.two.outbox.did.equals(List.of("pause")));
		assertThat(this.two.workers.paused()).singleElement().satisfies((paused) -> {
			assertThat(paused.worker()).isEqualTo("outbox");
			assertThat(paused.by()).isEqualTo("ada");
			assertThat(paused.note()).isEqualTo("the provider is down");
		});
		assertThat(this.two.workers.resume("outbox", ADA)).isTrue();
		this.one.keeper.look();
		Await.until("work here", () -> this.one.outbox.did.equals(List.of("pause", "resume")));
		Await.until("work there", () -> this.two.outbox.did.equals(List.of("pause", "resume")));
		assertThat(this.one.inbox.did).isEmpty();
		assertThat(this.one.workers.resume("outbox", ADA)).isFalse();
	}

	@Test
	void whoPausesAWorkerAddsNoLineOfTheirOwnToTheLog(CapturedOutput output) {
		Operator eve = Operator.named("eve\nforged by name").noting("why\nforged by note");
		this.one.workers.pause("inbox", eve);
		this.two.keeper.start();
		this.one.workers.resume("inbox", eve);
		assertThat(output).contains("eve?forged by name: why?forged by note").doesNotContain("\nforged");
	}

	@Test
	void staysPausedOverARestart() {
		this.one.workers.pause("inbox", ADA);
		this.two.keeper.start();
		assertThat(this.two.inbox.did).as("before anything else starts").containsExactly("pause");
		this.two.keeper.stop();
		this.two.keeper.start();
		assertThat(this.two.inbox.did).containsExactly("pause", "pause");
	}

	@Test
	void leavesAloneWhatTheApplicationHasPausedItself() {
		this.one.keeper.start();
		this.one.outbox.pause();
		this.one.workers.pause("inbox", ADA);
		this.one.workers.resume("inbox", ADA);
		Await.until("the inbox at work", () -> this.one.inbox.did.size() != 1);
		assertThat(this.one.outbox.did).containsExactly("pause");
	}

	@Test
	void oneThatFailsDoesNotKeepTheOthersFromPausing() {
		this.one.outbox.failing = true;
		this.one.workers.pause("outbox", ADA);
		this.one.workers.pause("inbox", ADA);
		this.one.keeper.start();
		assertThat(this.one.inbox.did).containsExactly("pause");
		this.one.outbox.failing = false;
		Await.until("the next try", () -> this.one.outbox.did.equals(List.of("pause")));
	}

	@Test
	void refusesAWorkerThatNobodyKnows() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.one.workers.pause("outbux", ADA))
			.withMessage("The worker must be one of [inbox, jobs, outbox] but is 'outbux'");
		assertThat(this.one.workers.pause("jobs", ADA)).as("of other instances").isTrue();
	}

	private final class Instance {

		private final Recorder outbox = new Recorder("outbox");

		private final Recorder inbox = new Recorder("inbox");

		private final PauseKeeper keeper = new PauseKeeper(WorkersTests.this.fixture.control,
				List.of(this.outbox, this.inbox), null);

		private final Workers workers = new Workers(WorkersTests.this.fixture.control, List.of(this.outbox, this.inbox),
				Set.of("jobs"), this.keeper, null);

	}

	private static final class Recorder implements Pausable {

		private final String label;

		private final List<String> did = new CopyOnWriteArrayList<>();

		private volatile boolean failing;

		private Recorder(String label) {
			this.label = label;
		}

		@Override
		public String label() {
			return this.label;
		}

		@Override
		public void pause() {
			if (this.failing) {
				throw new IllegalStateException("not now");
			}
			this.did.add("pause");
		}

		@Override
		public void resume() {
			this.did.add("resume");
		}

		@Override
		public String state() {
			return "running";
		}

	}

}
