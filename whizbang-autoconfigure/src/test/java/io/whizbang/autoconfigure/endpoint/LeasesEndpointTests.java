package io.whizbang.autoconfigure.endpoint;

import java.time.Duration;

import javax.sql.DataSource;

import io.whizbang.autoconfigure.DeadLettersAutoConfiguration;
import io.whizbang.autoconfigure.LeaseAutoConfiguration;
import io.whizbang.autoconfigure.OutboxAutoConfiguration;
import io.whizbang.autoconfigure.WhizbangAutoConfiguration;
import io.whizbang.lease.Lease;
import io.whizbang.lease.Leases;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class LeasesEndpointTests {

	private final ApplicationContextRunner runner;

	LeasesEndpointTests(PostgresDatabase database) {
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					DeadLettersAutoConfiguration.class, LeaseAutoConfiguration.class,
					WhizbangEndpointAutoConfiguration.class))
			.withPropertyValues("whizbang.outbox.worker.enabled=false")
			.withBean(DataSource.class, database::unpooledDataSource);
	}

	@Test
	void showsWhoHasLeases() {
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=whizbangleases").run((context) -> {
			LeasesEndpoint endpoint = context.getBean(LeasesEndpoint.class);
			Leases leases = context.getBean(Leases.class);
			Lease lease = leases.tryAcquire("b", Duration.ofMinutes(1)).orElseThrow();
			assertThat(leases.tryAcquire("a", Duration.ofMinutes(1))).isPresent();
			assertThat(endpoint.list(null, null).getBody()).isInstanceOfSatisfying(LeasesBody.class,
					(body) -> assertThat(body.leases()).extracting(LeasesBody.Entry::name).containsExactly("a", "b"));
			assertThat(endpoint.list("a", "1").getBody()).isInstanceOfSatisfying(LeasesBody.class,
					(body) -> assertThat(body.leases()).extracting(LeasesBody.Entry::name).containsExactly("b"));
			assertThat(endpoint.show("b").getBody()).isInstanceOfSatisfying(LeasesBody.Entry.class,
					(body) -> assertThat(body.token()).isEqualTo(lease.token()));
			assertThat(endpoint.show("c").getStatus()).isEqualTo(404);
			assertThat(endpoint.list(null, "many").getStatus()).isEqualTo(400);
			assertThat(endpoint.list(null, "0").getStatus()).isEqualTo(400);
		});
	}

	@Test
	void isThereOnlyWhenExposed() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LeasesEndpoint.class));
	}

}
