package io.whizbang.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.whizbang.observation.MicrometerWorkListener;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the metrics of the workers.
 */
@AutoConfiguration(afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "whizbang.enabled", matchIfMissing = true)
public final class WhizbangMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	MicrometerWorkListener whizbangMicrometerWorkListener(MeterRegistry registry) {
		return new MicrometerWorkListener(registry);
	}

}
