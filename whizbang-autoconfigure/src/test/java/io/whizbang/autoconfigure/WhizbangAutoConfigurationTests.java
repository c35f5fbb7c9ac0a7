package io.whizbang.autoconfigure;

import javax.sql.DataSource;

import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaMode;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.schema.UnsupportedDatabaseException;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import liquibase.integration.spring.SpringLiquibase;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class WhizbangAutoConfigurationTests {

	private final PostgresDatabase database;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class));

	WhizbangAutoConfigurationTests(PostgresDatabase database) {
		this.database = database;
	}

	@Test
	void installsTheSchemaOfTheOnlyDataSource() {
		this.runner.withBean(DataSource.class, this.database::unpooledDataSource).run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(SpringLiquibase.class);
			assertThat(context.getBean(SchemaInstaller.class).installed()).isPresent();
			assertThat(context.getBean(WhizbangDatabase.class).dataSource())
				.isSameAs(context.getBean(DataSource.class));
		});
	}

	@Test
	void usesTheNameAndModeOfTheProperties() {
		this.runner.withBean(DataSource.class, this.database::unpooledDataSource)
			.withPropertyValues("whizbang.schema.name=other_name", "whizbang.schema.mode=none")
			.run((context) -> assertThat(context.getBean(SchemaInstaller.class).installed()).isEmpty());
	}

	@Test
	void doesNothingWhenSwitchedOff() {
		this.runner.withPropertyValues("whizbang.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(WhizbangDatabase.class)
				.doesNotHaveBean(SchemaInstaller.class)
				.doesNotHaveBean(SchemaProperties.class));
	}

	@Test
	void failsWithoutADataSource() {
		this.runner.run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOf(DataSourceChoiceException.class)
			.hasMessage("Whizbang needs a DataSource but the application has none"));
	}

	@Test
	void failsWhenItCannotChooseAmongDataSources() {
		this.runner.withUserConfiguration(TwoDataSources.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(DataSourceChoiceException.class)
				.hasMessageEndingWith("several and none is primary: orders, reports"));
	}

	@Test
	void takesThePrimaryDataSource() {
		this.runner.withUserConfiguration(TwoDataSources.class)
			.withBean("primary", DataSource.class, this.database::unpooledDataSource,
					(definition) -> definition.setPrimary(true))
			.run((context) -> assertThat(context.getBean(WhizbangDatabase.class).dataSource())
				.isSameAs(context.getBean("primary")));
	}

	@Test
	void prefersTheMarkedDataSourceToThePrimaryOne() {
		this.runner.withUserConfiguration(TwoDataSources.class, MarkedDataSource.class)
			.withBean(Holder.class, () -> new Holder(this.database))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(WhizbangDatabase.class).dataSource()).isSameAs(context.getBean("marked"));
			});
	}

	@Test
	void takesTheDatabaseThatTheApplicationNames() {
		this.runner.withUserConfiguration(TwoDataSources.class)
			.withBean(WhizbangDatabase.class, () -> new WhizbangDatabase(this.database.unpooledDataSource(), "named"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(WhizbangDatabase.class));
	}

	@Test
	void leavesTheSchemaToTheInstallerOfTheApplication() {
		SchemaInstaller mine = new SchemaInstaller(this.database.dataSource(),
				SchemaSettings.of("mine", SchemaMode.MIGRATE));
		this.runner.withBean(DataSource.class, this.database::unpooledDataSource)
			.withBean(SchemaInstaller.class, () -> mine)
			.run((context) -> {
				assertThat(context).hasSingleBean(SchemaInstaller.class);
				assertThat(context.getBean(SchemaInstaller.class)).isSameAs(mine);
			});
	}

	@Test
	void refusesAnotherDatabase() {
		this.runner.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=jdbc:h2:mem:other")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(UnsupportedDatabaseException.class)
				.hasMessageStartingWith("Whizbang needs PostgreSQL 14 or later but the data source leads to H2"));
	}

	@Test
	void needsNoHikari() {
		this.runner.withBean(DataSource.class, this.database::unpooledDataSource)
			.withClassLoader(new FilteredClassLoader("com.zaxxer.hikari"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(SchemaInstaller.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoDataSources {

		@Bean
		DataSource orders() {
			return new DriverManagerDataSource("jdbc:postgresql://nowhere/orders");
		}

		@Bean
		DataSource reports() {
			return new DriverManagerDataSource("jdbc:postgresql://nowhere/reports");
		}

	}

	/** Keeps the context from closing what it did not open. */
	record Holder(PostgresDatabase database) {
	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedDataSource {

		@Bean
		@Primary
		DataSource primary() {
			return new DriverManagerDataSource("jdbc:postgresql://nowhere/primary");
		}

		@Bean(defaultCandidate = false)
		@WhizbangDataSource
		DataSource marked(Holder holder) {
			return holder.database().unpooledDataSource();
		}

	}

}
