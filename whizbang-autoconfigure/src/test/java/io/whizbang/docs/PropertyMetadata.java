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
		return read("properties");
	}

	/** The values that are suggested for a property. */
	static JsonNode hints(String property) throws IOException {
		return read("hints").get(property).get("values");
	}

	private static Map<String, JsonNode> read(String kind) throws IOException {
		Map<String, JsonNode> properties = new TreeMap<>();
		for (URL url : Collections.list(
				PropertyMetadata.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream stream = url.openStream()) {
				JsonMapper.shared()
					.readTree(stream)
					.path(kind)
					.forEach((property) -> properties.put(property.get("name").stringValue(), property));
			}
		}
		properties.keySet().removeIf((name) -> !name.startsWith("whizbang."));
		return properties;
	}

}
