package io.whizbang.docs;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the configuration processor has written about our properties.
 */
final class PropertyMetadata {

	private PropertyMetadata() {
	}

	/** All properties by name, in the order of their names. */
	static Map<String, JsonNode> read() throws IOException {
		Map<String, JsonNode> properties = new TreeMap<>();
		for (URL url : Collections.list(
				PropertyMetadata.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream stream = url.openStream()) {
				JsonMapper.shared()
					.readTree(stream)
					.get("properties")
					.forEach((property) -> properties.put(property.get("name").stringValue(), property));
			}
		}
		properties.keySet().removeIf((name) -> !name.startsWith("whizbang."));
		return properties;
	}

}
