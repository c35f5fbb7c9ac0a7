package io.whizbang.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.whizbang.schema.SchemaInstaller;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresServer;
import io.whizbang.test.PostgresTest;
import liquibase.integration.spring.SpringLiquibase;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whizbang beside the application's own migrations, in applications started as users
 * start them.
 */
@PostgresTest
class ApplicationMigrationsTests {

	private final PostgresServer server;

	private PostgresDatabase database;

	ApplicationMigrationsTests(PostgresServer server) {
		this.server = server;
	}

	@BeforeEach
	void createDatabase() {
		this.database = this.server.createDatabase("migrations");
	}

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Test
	void startsWithoutMigrationsOfTheApplication() {
		try (ConfigurableApplicationContext context = start(false, false)) {
			assertThat(context.getBeanNamesForType(SpringLiquibase.class)).isEmpty();
			assertThat(tables("whizbang")).contains("wh_schema_version", "wh_schema_change");
			assertThat(tables("public")).isEmpty();
		}
	}

	@Test
	void startsBesideTheApplicationsLiquibase() {
		try (ConfigurableApplicationContext context = start(true, false)) {
			assertThat(context.getBeanNamesForType(SpringLiquibase.class)).containsExactly("liquibase");
			assertThat(dependencies(context)).contains("liquibase");
			assertThat(tables("public")).containsExactly("databasechangelog", "databasechangeloglock",
					"liquibase_customers");
			assertThat(tables("whizbang")).contains("wh_schema_version");
			assertThat(this.database.jdbc().queryForObject("select count(*) from databasechangelog", Integer.class))
				.isOne();
		}
	}

	@Test
	void startsBesideTheApplicationsFlyway() {
		try (ConfigurableApplicationContext context = start(false, true)) {
			assertThat(context.getBeanNamesForType(Flyway.class)).hasSize(1);
			assertThat(dependencies(context)).contains("flywayInitializer");
			assertThat(tables("public")).containsExactly("flyway_customers", "flyway_schema_history");
			assertThat(tables("whizbang")).contains("wh_schema_version");
		}
	}

	@Test
	void letsTheApplicationAddMigrationsLater() {
		start(false, false).close();
		start(true, false).close();
		start(false, true, "--spring.flyway.baseline-on-migrate=true", "--spring.flyway.baseline-version=0").close();
		start(true, true).close();
		assertThat(tables("public")).contains("liquibase_customers", "flyway_customers");
		assertThat(
				this.database.jdbc().queryForObject("select count(*) from whizbang.wh_schema_version", Integer.class))
			.isOne();
	}

	@Test
	void letsTheApplicationsEntitiesWaitForTheSchema() {
		try (ConfigurableApplicationContext context = start(false, false)) {
			assertThat(context.getBeanFactory().getBeanDefinition("entityManagerFactory").getDependsOn())
				.contains("whizbangSchemaInstaller");
		}
	}

	private ConfigurableApplicationContext start(boolean liquibase, boolean flyway, String... more) {
		List<String> arguments = new ArrayList<>(List.of(more));
		arguments.add("--spring.datasource.url=" + this.database.jdbcUrl());
		arguments.add("--spring.datasource.username=" + this.server.username());
		arguments.add("--spring.liquibase.enabled=" + liquibase);
		arguments.add("--spring.flyway.enabled=" + flyway);
		if (this.server.password() != null) {
			arguments.add("--spring.datasource.password=" + this.server.password());
		}
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.run(arguments.toArray(String[]::new));
	}

	private static List<String> dependencies(ConfigurableApplicationContext context) {
		String name = context.getBeanNamesForType(SchemaInstaller.class)[0];
		return List.of(context.getBeanFactory().getDependenciesForBean(name));
	}

	private List<String> tables(String schema) {
		return this.database.jdbc()
			.queryForList("select tablename from pg_tables where schemaname = ? order by tablename", String.class,
					schema);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
