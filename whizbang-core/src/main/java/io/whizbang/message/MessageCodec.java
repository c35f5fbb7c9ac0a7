package io.whizbang.message;

import java.lang.reflect.Type;

/**
 * Turns payloads into JSON and back.
 */
public interface MessageCodec {

	/**
	 * Writes a payload.
	 * @param payload the payload
	 * @return its JSON
	 * @throws PayloadException when the payload cannot be written
	 */
	String write(Object payload);

	/**
	 * Reads a payload.
	 * @param json its JSON
	 * @param type what to read it as, perhaps with type arguments
	 * @return the payload
	 * @throws PayloadException when the JSON does not fit the type
	 */
	Object read(String json, Type type);

	/**
	 * Reads a payload.
	 * @param <T> what it is read as
	 * @param json its JSON
	 * @param type what to read it as
	 * @return the payload
	 * @throws PayloadException when the JSON does not fit the type
	 */
	default <T> T read(String json, Class<T> type) {
		return type.cast(read(json, (Type) type));
	}

}
