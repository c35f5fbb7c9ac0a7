package io.whizbang.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.whizbang.observation.MicrometerWorkListener;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class WhizbangMetricsAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(WhizbangMetricsAutoConfiguration.class));

	@Test
	void listensForTheRegistryThatBootConfigures() {
		this.runner
			.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
			.run((context) -> assertThat(context).hasSingleBean(MicrometerWorkListener.class));
	}

	@Test
	void isAbsentWithoutARegistry() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(MicrometerWorkListener.class));
	}

	@Test
	void isAbsentWithoutBootsModuleOrWhenSwitchedOff() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.boot.micrometer"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(MicrometerWorkListener.class));
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("whizbang.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(MicrometerWorkListener.class));
	}

	@Test
	void backsOffForTheListenerOfTheApplication() {
		MicrometerWorkListener mine = new MicrometerWorkListener(new SimpleMeterRegistry());
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("mine", MicrometerWorkListener.class, () -> mine)
			.run((context) -> assertThat(context.getBean(MicrometerWorkListener.class)).isSameAs(mine));
	}

}
