package io.whizbang.message;

import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.List;
import java.util.stream.Stream;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes and reads payloads with Jackson, as the application has set it up.
 */
public final class JsonMessageCodec implements MessageCodec {

	/** A payload that refers to itself has a path of hundreds of steps. */
	private static final int MAX_STEPS = 20;

	private final JsonMapper mapper;

	private final long maxSize;

	public JsonMessageCodec(JsonMapper mapper) {
		this(mapper, Long.MAX_VALUE);
	}

	/**
	 * Creates a codec that does not write payloads of any size.
	 * @param mapper what reads and writes JSON
	 * @param maxSize how many characters of JSON a payload may have
	 */
	public JsonMessageCodec(JsonMapper mapper, long maxSize) {
		this.mapper = mapper;
		this.maxSize = maxSize;
	}

	@Override
	public String write(Object payload) {
		String json = json(payload);
		if (json.length() > this.maxSize) {
			throw new PayloadException(
					"A payload of type %s has %d characters of JSON, more than the %d that are allowed. "
						.formatted(payload.getClass().getName(), json.length(), this.maxSize)
							+ "Store what is large elsewhere and send its key, or set whizbang.messages.max-payload-size",
					null);
		}
		return json;
	}

	private String json(Object payload) {
		try {
			String json = this.mapper.writeValueAsString(payload);
			if (json.equals("{}")) {
				refuseIfHidden(payload);
			}
			return json;
		}
		catch (JacksonException ex) {
			throw new PayloadException("A payload of type %s cannot be written as JSON%s: %s. "
				.formatted(payload.getClass().getName(), at(ex), ex.getOriginalMessage())
					+ "Enqueue a type that Jackson can write, such as a record of plain values, "
					+ "or teach the application's JsonMapper to write it", ex);
		}
	}

	/**
	 * An object whose fields Jackson does not see would arrive without them, and nobody
	 * would know. Which one that is Jackson tells when it may not write empty objects.
	 */
	private void refuseIfHidden(Object payload) {
		if (!hasFields(payload.getClass())) {
			return;
		}
		try {
			this.mapper.writer(SerializationFeature.FAIL_ON_EMPTY_BEANS).writeValueAsString(payload);
		}
		catch (InvalidDefinitionException ex) {
			throw new PayloadException("A payload of type %s would be written as {}: Jackson sees nothing of it. "
				.formatted(payload.getClass().getName())
					+ "Make it a record, give it getters, or annotate its fields with @JsonProperty", ex);
		}
	}

	private static boolean hasFields(Class<?> type) {
		return Stream.<Class<?>>iterate(type, (each) -> each != null, Class::getSuperclass)
			.flatMap((each) -> Stream.of(each.getDeclaredFields()))
			.anyMatch((field) -> !Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())
					&& !field.isSynthetic());
	}

	@Override
	public Object read(String json, Type type) {
		try {
			JavaType javaType = this.mapper.constructType(type);
			Object payload = this.mapper.readValue(json, javaType);
			if (payload != null) {
				return payload;
			}
		}
		catch (JacksonException ex) {
			// The cause's own message may quote the payload, which must not reach the
			// logs.
			throw new PayloadException("A payload cannot be read as %s%s: %s. ".formatted(type.getTypeName(), at(ex),
					ex.getClass().getSimpleName())
					+ "Compare the type with what was enqueued, or teach the application's JsonMapper to read it", ex);
		}
		throw new PayloadException(
				"A payload cannot be read as %s: it is the JSON value null".formatted(type.getTypeName()), null);
	}

	private static String at(JacksonException failure) {
		List<JacksonException.Reference> steps = failure.getPath();
		if (steps.isEmpty()) {
			return "";
		}
		StringBuilder path = new StringBuilder();
		for (JacksonException.Reference step : steps.subList(0, Math.min(steps.size(), MAX_STEPS))) {
			if (step.getPropertyName() != null) {
				path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
			}
			else {
				path.append('[').append(step.getIndex()).append(']');
			}
		}
		return " at \"" + path + ((steps.size() > MAX_STEPS) ? "…" : "") + "\"";
	}

}
