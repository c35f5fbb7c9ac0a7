package io.whizbang.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;

import io.whizbang.coordinator.InstanceInfo;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;

/**
 * Describes this process for the registry of instances.
 */
final class InstanceDescription {

	private InstanceDescription() {
	}

	static InstanceInfo of(InstanceProperties properties, Environment environment) {
		return new InstanceInfo(serviceName(properties.serviceName(), environment), hostName(environment),
				ProcessHandle.current().pid(), properties.metadata());
	}

	private static String serviceName(@Nullable String configured, Environment environment) {
		return (configured != null) ? configured : environment.getProperty("spring.application.name", "application");
	}

	/** Asks the environment first: the network may take seconds to find a name. */
	private static String hostName(Environment environment) {
		String name = environment.getProperty("HOSTNAME");
		if (name != null && !name.isBlank()) {
			return name;
		}
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown";
		}
	}

}
