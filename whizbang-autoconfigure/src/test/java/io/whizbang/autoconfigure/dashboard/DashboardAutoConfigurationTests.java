package io.whizbang.autoconfigure.dashboard;

import javax.sql.DataSource;

import io.whizbang.autoconfigure.DeadLettersAutoConfiguration;
import io.whizbang.autoconfigure.OutboxAutoConfiguration;
import io.whizbang.autoconfigure.WhizbangAutoConfiguration;
import io.whizbang.autoconfigure.endpoint.WhizbangEndpointAutoConfiguration;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
@ExtendWith(OutputCaptureExtension.class)
class DashboardAutoConfigurationTests {

	private static final String ENABLED = "whizbang.dashboard.enabled=true";

	private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(WhizbangAutoConfiguration.class,
			OutboxAutoConfiguration.class, DeadLettersAutoConfiguration.class, WhizbangEndpointAutoConfiguration.class,
			DashboardAutoConfiguration.class, DashboardAbsenceAutoConfiguration.class);

	private final WebApplicationContextRunner runner;

	private final PostgresDatabase database;

	DashboardAutoConfigurationTests(PostgresDatabase database) {
		this.database = database;
		this.runner = new WebApplicationContextRunner().withConfiguration(CONFIGURATIONS)
			.withPropertyValues("whizbang.outbox.worker.enabled=false")
			.withBean(DataSource.class, database::unpooledDataSource);
	}

	@Test
	void isAbsentUnlessEnabled() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("whizbangDashboard"));
		this.runner.withPropertyValues(ENABLED)
			.run((context) -> assertThat(context).hasNotFailed().hasBean("whizbangDashboard"));
	}

	@Test
	void isAbsentWithoutAWebApplicationOrActuatorAndSaysWhy(CapturedOutput output) {
		new ApplicationContextRunner().withConfiguration(CONFIGURATIONS)
			.withPropertyValues(ENABLED, "whizbang.outbox.worker.enabled=false")
			.withBean(DataSource.class, this.database::unpooledDataSource)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("whizbangDashboard"));
		assertThat(output).contains("There is no dashboard although", "it needs a servlet web application");
		this.runner.withPropertyValues(ENABLED)
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("whizbangDashboard"));
		assertThat(output).contains("it needs spring-boot-starter-actuator");
	}

	@Test
	void isSilentWhereThereIsOneOrNobodyWantsOne(CapturedOutput output) {
		this.runner.run((context) -> assertThat(context).hasNotFailed());
		this.runner.withPropertyValues(ENABLED).run((context) -> assertThat(context).hasBean("whizbangDashboard"));
		assertThat(output).doesNotContain("There is no dashboard");
	}

	@Test
	void warnsWhereItIsOpenToEveryone(CapturedOutput output) {
		this.runner.withPropertyValues(ENABLED)
			.withClassLoader(new FilteredClassLoader("org.springframework.security"))
			.run((context) -> assertThat(context).hasNotFailed().hasBean("whizbangDashboard"));
		assertThat(output).contains("open to everyone who can reach it");
	}

	@Test
	void refusesAPathThatIsNone() {
		this.runner.withPropertyValues(ENABLED, "whizbang.dashboard.path=ops/")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("whizbang.dashboard.path must be a path")
				.hasMessageContaining("but is 'ops/'"));
	}

	@Test
	void takesItsFilesIntoNativeImages() {
		RuntimeHints hints = new RuntimeHints();
		new DashboardRuntimeHints().registerHints(hints, getClass().getClassLoader());
		for (String name : DashboardFiles.NAMES) {
			assertThat(RuntimeHintsPredicates.resource().forResource("io/whizbang/autoconfigure/dashboard/" + name))
				.accepts(hints);
		}
	}

}
