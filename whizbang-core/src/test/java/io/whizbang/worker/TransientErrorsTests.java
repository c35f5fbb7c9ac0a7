package io.whizbang.worker;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

import static org.assertj.core.api.Assertions.assertThat;

class TransientErrorsTests {

	@ParameterizedTest
	@ValueSource(strings = { "08006", "08001", "40001", "40P01", "55P03", "57P01", "57P02", "57P03", "53300", "53100",
			"57014", "25006" })
	void passByThemselves(String state) {
		assertThat(TransientErrors.isTransient(new SQLException("no", state))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "42P01", "42883", "23505", "22P02", "0A000", "28P01" })
	void doNotPass(String state) {
		assertThat(TransientErrors.isTransient(new SQLException("no", state))).isFalse();
	}

	@Test
	void knowsAStalePlanFromWhatIsNotSupported() {
		assertThat(TransientErrors
			.isTransient(new SQLException("ERROR: cached plan must not change result type", "0A000"))).isTrue();
	}

	@Test
	void knowsAnEmptyPool() {
		assertThat(TransientErrors.isTransient(new SQLTransientConnectionException("pool: request timed out")))
			.isTrue();
		assertThat(TransientErrors.isTransient(new CannotGetJdbcConnectionException("no"))).isTrue();
	}

	@Test
	void looksIntoCauses() {
		SQLException lost = new SQLException("connection lost", "08006");
		assertThat(TransientErrors.isTransient(new DataAccessResourceFailureException("no", lost))).isTrue();
		assertThat(TransientErrors.isTransient(new IllegalStateException(new RuntimeException(lost)))).isTrue();
	}

	@Test
	void endsWhenCausesGoInCircles() {
		RuntimeException one = new RuntimeException("one");
		one.initCause(new RuntimeException("two", one));
		assertThat(TransientErrors.isTransient(one)).isFalse();
	}

}
