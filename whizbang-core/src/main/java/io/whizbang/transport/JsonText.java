package io.whizbang.transport;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * Turns bytes from elsewhere into text that is surely JSON. Refusals never quote the
 * payload, which must not reach the logs.
 */
final class JsonText {

	private static final JsonFactory JSON = new JsonFactory();

	private JsonText() {
	}

	static String of(byte @Nullable [] payload) {
		if (payload == null || payload.length == 0) {
			throw new MalformedEventException("It has no payload");
		}
		String text = decode(payload);
		try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
			if (parser.nextToken() == null) {
				throw new MalformedEventException("Its payload is blank");
			}
			parser.skipChildren();
			if (parser.nextToken() != null) {
				throw new MalformedEventException("Its payload is more than one JSON value");
			}
			return text;
		}
		catch (StreamConstraintsException ex) {
			// Knows of no place, and quotes nothing.
			throw new MalformedEventException(
					"Its payload goes beyond what JSON is read with: " + ex.getOriginalMessage(), ex);
		}
		catch (JacksonException ex) {
			throw new MalformedEventException("Its payload is not JSON (line %d, column %d)"
				.formatted(ex.getLocation().getLineNr(), ex.getLocation().getColumnNr()), ex);
		}
	}

	private static String decode(byte[] payload) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString();
		}
		catch (CharacterCodingException ex) {
			throw new MalformedEventException("Its payload is not UTF-8", ex);
		}
	}

}
