package io.whizbang.schema;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SchemaSettingsTests {

	@ParameterizedTest
	@ValueSource(
			strings = { "", "Whizbang", "1st", "with-dash", "with space", "x; drop table y", "\"quoted\"", "ünder" })
	void refusesNamesThatWouldNeedQuotes(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> SchemaSettings.of(name, SchemaMode.MIGRATE))
			.withMessageContaining("plain lower-case identifier")
			.withMessageContaining("'" + name + "'");
	}

	@Test
	void refusesNamesThatPostgresKeepsForItself() {
		assertThatIllegalArgumentException().isThrownBy(() -> SchemaSettings.of("pg_whizbang", SchemaMode.MIGRATE))
			.withMessageContaining("'pg_whizbang'");
	}

	@Test
	void refusesNamesThatPostgresWouldCut() {
		assertThatIllegalArgumentException().isThrownBy(() -> SchemaSettings.of("x".repeat(64), SchemaMode.MIGRATE));
		assertThat(SchemaSettings.of("x".repeat(63), SchemaMode.MIGRATE).name()).hasSize(63);
	}

	@Test
	void refusesALockTimeoutThatIsNoTime() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new SchemaSettings("whizbang", SchemaMode.MIGRATE, Duration.ZERO))
			.withMessageContaining("PT0S");
	}

}
