package io.whizbang.autoconfigure;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * How this instance of the application shows in the registry of instances.
 *
 * @param serviceName Name of the application that this instance belongs to. Uses
 * 'spring.application.name' if not set.
 * @param metadata Anything else worth knowing about this instance, by name.
 */
@ConfigurationProperties("whizbang.instance")
public record InstanceProperties(@Nullable String serviceName, @DefaultValue Map<String, String> metadata) {

	public InstanceProperties {
		Assert.isTrue(serviceName == null || !serviceName.isBlank(),
				() -> "whizbang.instance.service-name must not be blank but is '" + serviceName + "'");
	}

}
