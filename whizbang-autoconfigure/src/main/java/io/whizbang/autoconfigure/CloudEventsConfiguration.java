package io.whizbang.autoconfigure;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.transport.CloudEvents;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * How messages are written for every broker.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CloudEventsProperties.class)
class CloudEventsConfiguration {

	@Bean
	@ConditionalOnMissingBean
	CloudEvents whizbangCloudEvents(CloudEventsProperties properties, InstanceInfo info) {
		return new CloudEvents((properties.source() != null) ? properties.source() : "/" + info.serviceName());
	}

}
