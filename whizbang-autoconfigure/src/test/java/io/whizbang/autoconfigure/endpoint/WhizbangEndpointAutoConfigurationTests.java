package io.whizbang.autoconfigure.endpoint;

import javax.sql.DataSource;

import io.whizbang.autoconfigure.DeadLettersAutoConfiguration;
import io.whizbang.autoconfigure.OutboxAutoConfiguration;
import io.whizbang.autoconfigure.WhizbangAutoConfiguration;
import io.whizbang.letter.DeadLetters;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class WhizbangEndpointAutoConfigurationTests {

	private static final String EXPOSE = "management.endpoints.web.exposure.include=*";

	private final ApplicationContextRunner runner;

	WhizbangEndpointAutoConfigurationTests(PostgresDatabase database) {
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					DeadLettersAutoConfiguration.class, WhizbangEndpointAutoConfiguration.class))
			.withPropertyValues("whizbang.outbox.worker.enabled=false")
			.withBean(DataSource.class, database::unpooledDataSource);
	}

	@Test
	void areThereOnlyWhenExposed() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(DeadLetters.class)
			.doesNotHaveBean(DeadLettersEndpoint.class)
			.doesNotHaveBean(DeadLetterAuditEndpoint.class));
		this.runner.withPropertyValues(EXPOSE)
			.run((context) -> assertThat(context).hasSingleBean(DeadLettersEndpoint.class)
				.hasSingleBean(DeadLetterAuditEndpoint.class));
	}

	@Test
	void areAbsentWhenAccessIsDeniedOrWhizbangIsOff() {
		this.runner.withPropertyValues(EXPOSE, "management.endpoint.whizbangdeadletters.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(DeadLettersEndpoint.class)
				.hasSingleBean(DeadLetterAuditEndpoint.class));
		this.runner.withPropertyValues(EXPOSE, "whizbang.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(DeadLetters.class)
				.doesNotHaveBean(DeadLettersEndpoint.class));
	}

	@Test
	void areAbsentWithoutActuator() {
		this.runner.withPropertyValues(EXPOSE)
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(DeadLetters.class)
				.doesNotHaveBean(DeadLettersEndpoint.class));
	}

}
