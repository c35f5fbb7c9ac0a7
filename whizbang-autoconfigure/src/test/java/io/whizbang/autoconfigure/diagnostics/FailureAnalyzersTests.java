package io.whizbang.autoconfigure.diagnostics;

import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import io.whizbang.autoconfigure.OutboxAutoConfiguration;
import io.whizbang.autoconfigure.WhizbangAutoConfiguration;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class FailureAnalyzersTests {

	private final PostgresDatabase database;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class));

	FailureAnalyzersTests(PostgresDatabase database) {
		this.database = database;
	}

	@Test
	void tellHowToGetADataSource() {
		FailureAnalysis analysis = analyze(this.runner);
		assertThat(analysis.getDescription()).isEqualTo("Whizbang needs a DataSource but the application has none.");
		assertThat(analysis.getAction()).contains("spring.datasource.url", "whizbang.enabled");
	}

	@Test
	void tellHowToChooseADataSource() {
		FailureAnalysis analysis = analyze(this.runner
			.withBean("orders", DataSource.class, () -> new DriverManagerDataSource("jdbc:postgresql://nowhere/a"))
			.withBean("reports", DataSource.class, () -> new DriverManagerDataSource("jdbc:postgresql://nowhere/b")));
		assertThat(analysis.getDescription()).contains("orders, reports");
		assertThat(analysis.getAction()).contains("@WhizbangDataSource");
	}

	@Test
	void tellWhichDatabaseWasFound() {
		FailureAnalysis analysis = analyze(
				this.runner.withBean(DataSource.class, () -> new DriverManagerDataSource("jdbc:h2:mem:wrong")));
		assertThat(analysis.getDescription()).contains("PostgreSQL 14 or later", "H2");
		assertThat(analysis.getAction()).contains("spring.datasource.url");
	}

	@Test
	void tellHowToInstallAMissingSchema() {
		FailureAnalysis analysis = analyze(
				withDatabase().withPropertyValues("whizbang.schema.mode=validate", "whizbang.schema.name=missing"));
		assertThat(analysis.getDescription()).isEqualTo("Schema 'missing' is missing or has no Whizbang objects.");
		assertThat(analysis.getAction()).contains("whizbang.schema.mode=migrate", "whizbang.schema.name");
	}

	@Test
	void tellWhatToDoWithASchemaThatIsTooOld() {
		install("too_old");
		this.database.jdbc().update("delete from too_old.wh_schema_change where id = '0001-instances'");
		FailureAnalysis analysis = analyze(
				withDatabase().withPropertyValues("whizbang.schema.mode=validate", "whizbang.schema.name=too_old"));
		assertThat(analysis.getDescription()).contains("'too_old' is older", "tables/0001-instances.sql");
		assertThat(analysis.getAction()).contains("whizbang.schema.mode=migrate");
	}

	@Test
	void tellWhatToDoWithASchemaThatIsTooNew() {
		install("too_new");
		this.database.jdbc()
			.update("update too_new.wh_schema_change set id = 'tomorrow', filename = 'db/whizbang/tables/9999.sql'"
					+ " where id = '0001-instances'");
		FailureAnalysis analysis = analyze(
				withDatabase().withPropertyValues("whizbang.schema.mode=validate", "whizbang.schema.name=too_new"));
		assertThat(analysis.getDescription()).contains("later release", "tables/9999.sql:tomorrow");
		assertThat(analysis.getAction()).contains("a later one");
	}

	@Test
	void tellThatTheDatabaseIsReadOnly() {
		FailureAnalysis analysis = analyze(this.runner.withBean(DataSource.class,
				() -> new DriverManagerDataSource(
						this.database.jdbcUrl() + "&options=-c%20default_transaction_read_only=on",
						this.database.server().username(), "")));
		assertThat(analysis.getDescription()).contains("read-only");
	}

	@Test
	void tellThatARouteLeadsNowhere() {
		FailureAnalysis analysis = analyze(withDatabase()
			.withConfiguration(AutoConfigurations.of(OutboxAutoConfiguration.class, JacksonAutoConfiguration.class))
			.withPropertyValues("whizbang.outbox.routes[partner.*]=webhoks"));
		assertThat(analysis.getDescription()).contains("\"partner.*\"", "\"webhoks\"", "known are");
		assertThat(analysis.getAction()).contains("whizbang.outbox.routes");
	}

	private ApplicationContextRunner withDatabase() {
		return this.runner.withBean(DataSource.class, this.database::unpooledDataSource);
	}

	private void install(String schema) {
		withDatabase().withPropertyValues("whizbang.schema.name=" + schema)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static FailureAnalysis analyze(ApplicationContextRunner runner) {
		List<FailureAnalysis> analyses = new ArrayList<>();
		runner.run((context) -> {
			Throwable failure = context.getStartupFailure();
			assertThat(failure).isNotNull();
			SpringFactoriesLoader.forDefaultResourceLocation()
				.load(FailureAnalyzer.class, SpringFactoriesLoader.ArgumentResolver.none(),
						SpringFactoriesLoader.FailureHandler.logging(LogFactory.getLog(FailureAnalyzersTests.class)))
				.stream()
				.filter((analyzer) -> analyzer.getClass().getName().startsWith("io.whizbang"))
				.map((analyzer) -> analyzer.analyze(failure))
				.filter((analysis) -> analysis != null)
				.forEach(analyses::add);
		});
		assertThat(analyses).hasSize(1);
		return analyses.get(0);
	}

}
