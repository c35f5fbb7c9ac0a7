package io.whizbang.schema;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class DatabaseServerTests {

	@Test
	void refusesAnotherProductAndSaysWhatWasFound() {
		assertThatExceptionOfType(UnsupportedDatabaseException.class)
			.isThrownBy(() -> new DatabaseServer("MySQL", "9.1.0", 9).checkSupported())
			.withMessage("Whizbang needs PostgreSQL 14 or later but the data source leads to MySQL 9.1.0");
	}

	@Test
	void refusesAPostgresThatIsTooOld() {
		assertThatExceptionOfType(UnsupportedDatabaseException.class)
			.isThrownBy(() -> new DatabaseServer("PostgreSQL", "13.18", 13).checkSupported())
			.withMessage("Whizbang needs PostgreSQL 14 or later but the data source leads to PostgreSQL 13.18");
	}

	@Test
	void acceptsTheOldestAndLaterVersions() {
		assertThatNoException().isThrownBy(() -> new DatabaseServer("PostgreSQL", "14.0", 14).checkSupported());
		assertThatNoException().isThrownBy(() -> new DatabaseServer("PostgreSQL", "18.1", 18).checkSupported());
	}

}
