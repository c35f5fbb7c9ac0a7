package io.whizbang.autoconfigure.diagnostics;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.autoconfigure.EventStoreAutoConfiguration;
import io.whizbang.autoconfigure.InboxAutoConfiguration;
import io.whizbang.autoconfigure.JobAutoConfiguration;
import io.whizbang.autoconfigure.OutboxAutoConfiguration;
import io.whizbang.autoconfigure.PerspectiveAutoConfiguration;
import io.whizbang.autoconfigure.WhizbangAutoConfiguration;
import io.whizbang.inbox.MessageHandler;
import io.whizbang.job.WhizbangJob;
import io.whizbang.outbox.OutboxHandler;
import io.whizbang.perspective.On;
import io.whizbang.perspective.Perspective;
import io.whizbang.schema.SchemaException;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.apache.commons.logging.LogFactory;
import io.whizbang.autoconfigure.QueueAutoConfiguration;
import io.whizbang.autoconfigure.TimerAutoConfiguration;
import io.whizbang.event.EventTypeName;
import io.whizbang.event.EventTypes;
import io.whizbang.event.Upcaster;
import io.whizbang.queue.QueueConsumer;
import io.whizbang.timer.OnTimer;
import io.whizbang.timer.Timers;
import tools.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class FailureAnalyzersTests {

	/** Not as an annotation: tests of other packages scan this one. */
	private static final EventTypeName OPENED = new EventTypeName("opened", 1);

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

	@Test
	void tellThatTwoHandlersTakeOneTopic() {
		FailureAnalysis analysis = analyze(withDatabase()
			.withConfiguration(AutoConfigurations.of(OutboxAutoConfiguration.class, JacksonAutoConfiguration.class))
			.withUserConfiguration(TwoHandlers.class));
		assertThat(analysis.getDescription()).contains("Two handlers take topic \"orders\"", "TwoHandlers.first",
				"TwoHandlers.second");
		assertThat(analysis.getAction()).contains("Correct");
	}

	@Test
	void tellThatAQueueHasTwoConsumers() {
		FailureAnalysis analysis = analyze(withDatabase()
			.withConfiguration(AutoConfigurations.of(QueueAutoConfiguration.class, JacksonAutoConfiguration.class))
			.withUserConfiguration(TwoConsumers.class));
		assertThat(analysis.getDescription()).contains("The queue \"pictures\" has two consumers", "TwoConsumers.first",
				"TwoConsumers.second");
	}

	@Test
	void tellThatATimerMethodNamesNoTopic() {
		FailureAnalysis analysis = analyze(withDatabase()
			.withConfiguration(AutoConfigurations.of(OutboxAutoConfiguration.class, TimerAutoConfiguration.class,
					JacksonAutoConfiguration.class))
			.withUserConfiguration(Nowhere.class));
		assertThat(analysis.getDescription()).contains("@OnTimer", "Nowhere.fired", "names no topic");
	}

	@Test
	void tellThatAnEventTypeBelongsToTwoClassesAndThatUpcastersCollide() {
		ApplicationContextRunner events = withDatabase().withConfiguration(
				AutoConfigurations.of(EventStoreAutoConfiguration.class, JacksonAutoConfiguration.class));
		assertThat(analyze(events.withPropertyValues("whizbang.events.types[opened].type=" + Opened.class.getName())
			.withBean(EventTypes.class,
					() -> new EventTypes(List.of(),
							Map.of(ClassWithTheSameType.class, OPENED, OtherWithTheSameType.class, OPENED))))
			.getDescription()).contains("The event type \"opened\" belongs to two classes");
		assertThat(analyze(
				events.withBean("one", Upcaster.class, Renamed::new).withBean("two", Upcaster.class, Renamed::new))
			.getDescription()).contains("There are two upcasters from");
	}

	@Test
	void tellThatEventsCannotBePublishedWithoutAnOutbox() {
		FailureAnalysis analysis = analyze(withDatabase()
			.withConfiguration(AutoConfigurations.of(EventStoreAutoConfiguration.class, JacksonAutoConfiguration.class))
			.withPropertyValues("whizbang.events.publish[*]=events"));
		assertThat(analysis.getDescription()).contains("whizbang.events.publish", "whizbang.outbox.enabled");
	}

	@Test
	void tellThatABeanIsMissingBecauseItsFeatureIsOff() {
		FailureAnalysis analysis = featureOff("whizbang.timers.enabled=false", Timers.class);
		assertThat(analysis.getDescription()).contains("io.whizbang.timer.Timers", "whizbang.timers.enabled is false");
		assertThat(featureOff("whizbang.outbox.enabled=false", Timers.class).getAction())
			.isEqualTo("Remove whizbang.outbox.enabled=false, or what wants the bean.");
		assertThat(new FeatureOffFailureAnalyzer(new MockEnvironment())
			.analyze(new NoSuchBeanDefinitionException(Timers.class))).isNull();
		assertThat(new FeatureOffFailureAnalyzer(new MockEnvironment().withProperty("whizbang.enabled", "false"))
			.analyze(new NoSuchBeanDefinitionException(DataSource.class))).isNull();
	}

	private static FailureAnalysis featureOff(String property, Class<?> missing) {
		String[] parts = property.split("=", -1);
		FailureAnalysis analysis = new FeatureOffFailureAnalyzer(new MockEnvironment().withProperty(parts[0], parts[1]))
			.analyze(new NoSuchBeanDefinitionException(missing));
		assertThat(analysis).isNotNull();
		return analysis;
	}

	@Test
	void tellThatTwoReceptorsHaveOneName() {
		FailureAnalysis analysis = analyze(withDatabase()
			.withConfiguration(AutoConfigurations.of(OutboxAutoConfiguration.class, InboxAutoConfiguration.class,
					JacksonAutoConfiguration.class))
			.withUserConfiguration(TwoReceptors.class));
		assertThat(analysis.getDescription()).contains("Two receptors have the same name", "book");
	}

	@Test
	void tellThatTwoPerspectivesHaveOneName() {
		FailureAnalysis analysis = analyze(withDatabase()
			.withConfiguration(AutoConfigurations.of(OutboxAutoConfiguration.class, EventStoreAutoConfiguration.class,
					PerspectiveAutoConfiguration.class, JacksonAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class))
			.withPropertyValues("whizbang.events.types[opened].type=" + Opened.class.getName())
			.withUserConfiguration(FirstPerspective.class, SecondPerspective.class));
		assertThat(analysis.getDescription()).contains("two perspectives with the name \"accounts\"");
	}

	@Test
	void tellThatNobodyCanReadACronExpressionOrATimeZone() {
		ApplicationContextRunner jobs = withDatabase()
			.withConfiguration(AutoConfigurations.of(OutboxAutoConfiguration.class, JobAutoConfiguration.class,
					JacksonAutoConfiguration.class))
			.withUserConfiguration(Nightly.class);
		assertThat(analyze(jobs.withPropertyValues("nightly=0 0 25 * * *", "zone=UTC")).getDescription())
			.contains("Nightly.run", "0 0 25 * * *");
		assertThat(analyze(jobs.withPropertyValues("nightly=@daily", "zone=Mars/Olympus")).getDescription())
			.contains("Nightly.run", "Mars/Olympus");
	}

	@Test
	void tellWhichRightsAreMissing() {
		String role = this.database.name() + "_poor";
		this.database.jdbc().execute("create role %s login password 'poor'".formatted(role));
		try {
			FailureAnalysis analysis = analyze(this.runner
				.withBean(DataSource.class, () -> new DriverManagerDataSource(this.database.jdbcUrl(), role, "poor"))
				.withPropertyValues("whizbang.schema.name=forbidden"));
			assertThat(analysis.getDescription()).contains("may not create schema 'forbidden'", role);
			assertThat(analysis.getAction()).contains("spring.datasource.username", "SchemaScript.grants");
		}
		finally {
			this.database.jdbc().execute("drop role " + role);
		}
	}

	@Test
	void tellThatThePoolIsTooSmall() {
		FailureAnalysis analysis = analyze(this.runner.withBean(DataSource.class, this::poolOfOne)
			.withPropertyValues("whizbang.schema.name=tight"));
		assertThat(analysis.getDescription()).contains("schema 'tight'", "timed out");
		assertThat(analysis.getAction()).contains("two at once", "maximum-pool-size");
	}

	private DataSource poolOfOne() {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(this.database.jdbcUrl());
		pool.setUsername(this.database.server().username());
		pool.setPassword(this.database.server().password());
		pool.setMaximumPoolSize(1);
		pool.setConnectionTimeout(250);
		return pool;
	}

	@Test
	void tellThatTheDatabaseCannotBeReached() {
		FailureAnalysis analysis = analyze(this.runner.withBean(DataSource.class,
				() -> new DriverManagerDataSource("jdbc:postgresql://localhost:1/shop", "shop", "")));
		assertThat(analysis.getDescription()).contains("localhost:1").doesNotEndWith("..");
		assertThat(analysis.getAction()).contains("spring.datasource.url");
	}

	@Test
	void tellThatTheDatabaseDoesNotExist() {
		FailureAnalysis analysis = new SchemaFailureAnalyzer()
			.analyze(new SchemaException("Cannot install or check schema 'whizbang'",
					new SQLException("FATAL: database \"shop\" does not exist", "3D000")));
		assertThat(analysis).isNotNull();
		assertThat(analysis.getAction()).contains("Create the database", "spring.datasource.url");
	}

	/** As PgBouncer says it. */
	@Test
	void tellThatAPoolerSharesSessionsBetweenStatements() {
		FailureAnalysis analysis = new SchemaFailureAnalyzer().analyze(
				new SchemaException("Cannot install", new SQLException("ERROR: prepared statement")),
				new SchemaException(
						"Cannot install or check schema 'whizbang': "
								+ "FATAL: transaction blocks not allowed in statement pooling mode",
						new SQLException("FATAL: transaction blocks not allowed in statement pooling mode", "08P01")));
		assertThat(analysis).isNotNull();
		assertThat(analysis.getAction()).contains("statement mode", "session or transaction mode");
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

	static class TwoHandlers {

		@OutboxHandler("orders")
		void first(String order) {
		}

		@OutboxHandler("orders")
		void second(String order) {
		}

	}

	static class TwoConsumers {

		@QueueConsumer(queue = "pictures")
		void first(String picture) {
		}

		@QueueConsumer(queue = "pictures")
		void second(String picture) {
		}

	}

	static class Nowhere {

		@OnTimer
		void fired() {
		}

	}

	static class ClassWithTheSameType {

	}

	static class OtherWithTheSameType {

	}

	static class Renamed implements Upcaster {

		@Override
		public String type() {
			return "opened";
		}

		@Override
		public int fromVersion() {
			return 1;
		}

		@Override
		public JsonNode upcast(JsonNode payload) {
			return payload;
		}

	}

	static class TwoReceptors {

		@MessageHandler(topic = "payments", name = "book")
		void first(String payment) {
		}

		@MessageHandler(topic = "refunds", name = "book")
		void second(String refund) {
		}

	}

	record Opened(String owner) {
	}

	@Perspective(name = "accounts")
	static class FirstPerspective {

		@On
		void opened(Opened opened) {
		}

	}

	@Perspective(name = "accounts")
	static class SecondPerspective {

		@On
		void opened(Opened opened) {
		}

	}

	static class Nightly {

		@WhizbangJob(cron = "${nightly}", zone = "${zone}")
		void run() {
		}

	}

}
