package io.whizbang.worker;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PauseSwitchTests {

	private final List<String> did = new ArrayList<>();

	private final PauseSwitch power = new PauseSwitch(() -> this.did.add("begin"), () -> this.did.add("end"));

	@Test
	void beginsOnlyWhatWasStartedAndIsNotPaused() {
		this.power.pause();
		this.power.start();
		assertThat(this.did).doesNotContain("begin");
		assertThat(this.power.state(false)).isEqualTo("paused");
		this.power.resume();
		assertThat(this.did).endsWith("begin");
	}

	@Test
	void doesNotBeginWhatWasNeverStarted() {
		this.power.pause();
		this.power.resume();
		assertThat(this.did).doesNotContain("begin");
		assertThat(this.power.state(false)).isEqualTo("stopped");
	}

	@Test
	void endsWhatIsPausedAndStaysPausedOverAStop() {
		this.power.start();
		this.power.pause();
		assertThat(this.did).containsExactly("begin", "end");
		assertThat(this.power.state(true)).isEqualTo("pausing");
		this.power.stop();
		this.power.start();
		assertThat(this.did).containsOnlyOnce("begin");
	}

}
