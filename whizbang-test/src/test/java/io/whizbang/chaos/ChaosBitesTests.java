package io.whizbang.chaos;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Shows that the checks of {@link ChaosTests} see: each rule of the engine is switched
 * off in turn, and its absence must be found.
 */
class ChaosBitesTests {

	private static final int ROUNDS = 5;

	private static ChaosDatabase database;

	@BeforeAll
	static void createDatabase() {
		database = ChaosDatabase.create();
	}

	@AfterAll
	static void dropDatabase() {
		database.close();
	}

	@ParameterizedTest
	@EnumSource
	@SuppressWarnings("try")
	void findsThatARuleIsMissing(Mutant mutant) {
		long seed = Seed.next("Chaos with " + mutant);
		boolean found = false;
		try (Mutation mutation = mutant.in(database)) {
			for (int round = 0; round < ROUNDS && !found; round++) {
				found = mutant.isIn(ChaosRun.of(database, mutant.workload(seed + round)));
			}
		}
		assertThat(found).as(() -> mutant + " goes unnoticed").isTrue();
	}

}
