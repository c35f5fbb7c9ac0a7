package io.whizbang.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.whizbang.autoconfigure.health.WhizbangHealthAutoConfiguration;
import io.whizbang.docs.sample.ParcelJoin;
import io.whizbang.join.JoinId;
import io.whizbang.join.JoinLifecycle;
import io.whizbang.join.Joins;
import io.whizbang.test.Await;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.WithManualWorker;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class JoinAutoConfigurationTests {

	private final ApplicationContextRunner runner;

	JoinAutoConfigurationTests(PostgresDatabase database) {
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					JoinAutoConfiguration.class))
			.withPropertyValues("spring.application.name=parcels")
			.withBean(DataSource.class, database::unpooledDataSource)
			.withBean(ParcelJoin.class);
	}

	@Test
	void oneMessageFollowsAtOnceWhenAllWereDelivered() {
		this.runner.withPropertyValues("whizbang.joins.worker.poll-interval=1h").run((context) -> {
			ParcelJoin parcels = context.getBean(ParcelJoin.class);
			parcels.pack("o-1", List.of("a", "b", "c"));
			Await.until("the message that follows", () -> !parcels.shipped.isEmpty());
			assertThat(parcels.shipped).containsExactly("o-1: 3 parcels");
		});
	}

	@Test
	void aTestCountsByHand() {
		this.runner.withUserConfiguration(ByHand.class).run((context) -> {
			ParcelJoin parcels = context.getBean(ParcelJoin.class);
			JoinId join = parcels.pack("o-2", List.of("a", "b"));
			assertThat(context.getBean(Joins.class).find(join).orElseThrow().isOpen()).isTrue();
			context.getBean(ManualWorker.class).runUntilIdle();
			assertThat(parcels.shipped).containsExactly("o-2: 2 parcels");
		});
	}

	@Test
	void healthAndMetersTellHowJoinsStand() {
		this.runner
			.withConfiguration(AutoConfigurations.of(WhizbangHealthAutoConfiguration.class,
					WhizbangMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				ParcelJoin parcels = context.getBean(ParcelJoin.class);
				parcels.pack("o-3", List.of("a"));
				Await.until("the message that follows", () -> !parcels.shipped.isEmpty());
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				Await.until("it is told",
						() -> meters.find("whizbang.join.closed").tag("status", "done").counter() != null);
				CompositeHealthContributor whizbang = context.getBean(CompositeHealthContributor.class);
				Health health = ((HealthIndicator) whizbang.getContributor("joins")).health();
				assertThat(health.getStatus()).isEqualTo(Status.UP);
				assertThat(health.getDetails()).containsEntry("state", "RUNNING").containsEntry("stuck", List.of());
			});
	}

	@Test
	void countingIsLeftToOthersWhereItIsSwitchedOff() {
		this.runner.withPropertyValues("whizbang.joins.worker.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(Joins.class).doesNotHaveBean(JoinLifecycle.class));
	}

	@Configuration(proxyBeanMethods = false)
	@WithManualWorker
	static class ByHand {

	}

}
