package io.whizbang.coordinator;

import java.util.Map;

/**
 * Who an instance is, for people who look at the registry.
 *
 * @param serviceName name of the application
 * @param hostName where it runs
 * @param processId its process there
 * @param metadata anything else worth knowing
 */
public record InstanceInfo(String serviceName, String hostName, long processId, Map<String, String> metadata) {

	public InstanceInfo {
		metadata = Map.copyOf(metadata);
	}

}
