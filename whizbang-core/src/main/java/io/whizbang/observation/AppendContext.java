package io.whizbang.observation;

import java.util.HashMap;
import java.util.Map;

import io.micrometer.observation.transport.SenderContext;

/**
 * Events that are being appended. Whatever tracing puts into the carrier becomes metadata
 * of all of them.
 */
public final class AppendContext extends SenderContext<Map<String, String>> {

	private final String stream;

	private final String type;

	private final int count;

	private final Map<String, String> headers = new HashMap<>();

	AppendContext(String stream, String type, int count) {
		super((carrier, key, value) -> {
			if (carrier != null) {
				carrier.put(key, value);
			}
		});
		this.stream = stream;
		this.type = type;
		this.count = count;
		setCarrier(this.headers);
	}

	/**
	 * Returns the key of the first stream.
	 * @return the key
	 */
	public String stream() {
		return this.stream;
	}

	/**
	 * Returns the type of the first event.
	 * @return the name of the type
	 */
	public String type() {
		return this.type;
	}

	public int count() {
		return this.count;
	}

	/**
	 * Returns what tracing wants the events to carry.
	 * @return the metadata
	 */
	Map<String, String> headers() {
		return this.headers;
	}

}
