package io.whizbang.schema;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@PostgresTest
class SchemaScriptTests {

	private final PostgresDatabase database;

	SchemaScriptTests(PostgresDatabase database) {
		this.database = database;
	}

	@Test
	void installsWhatAnApplicationWithFewRightsFindsValid() {
		SchemaScript script = new SchemaScript("by_hand");
		this.database.jdbc().execute("create role script_reader login");
		try {
			this.database.jdbc().execute(script.install());
			this.database.jdbc().execute(script.grants("script_reader"));
			try (HikariDataSource pool = new HikariDataSource()) {
				pool.setJdbcUrl(this.database.jdbcUrl());
				pool.setUsername("script_reader");
				for (SchemaMode mode : SchemaMode.values()) {
					new SchemaInstaller(pool, SchemaSettings.of("by_hand", mode)).install();
				}
			}
		}
		finally {
			this.database.jdbc().execute("drop owned by script_reader");
			this.database.jdbc().execute("drop role script_reader");
		}
	}

	@Test
	void isTheSameEveryTime() {
		assertThat(new SchemaScript("again").grants("shop")).isEqualTo(new SchemaScript("again").grants("shop"));
	}

	@Test
	void refusesARoleThatWouldNeedQuotes() {
		assertThatIllegalArgumentException().isThrownBy(() -> new SchemaScript("whizbang").grants("x; drop"))
			.withMessageContaining("'x; drop'");
	}

}
