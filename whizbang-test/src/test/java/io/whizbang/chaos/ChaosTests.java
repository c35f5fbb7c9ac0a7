package io.whizbang.chaos;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real workers on a real database, with instances that come and go, stand still and die,
 * and transactions of all sorts. {@link ChaosBitesTests} shows that the checks see.
 */
class ChaosTests {

	@Test
	void keepsItsPromisesWhateverHappensToInstancesAndProducers() {
		try (ChaosDatabase database = ChaosDatabase.create()) {
			Findings findings = ChaosRun.of(database, Workload.everything(Seed.next("Chaos")));
			assertThat(findings.isEmpty()).as(findings::toString).isTrue();
		}
	}

}
