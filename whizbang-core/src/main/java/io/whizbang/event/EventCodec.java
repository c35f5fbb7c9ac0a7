package io.whizbang.event;

import java.util.Collection;
import java.util.Map;

import io.whizbang.message.MessageCodec;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Turns events into what is stored, and back into what their types are now.
 */
public final class EventCodec {

	// Metadata have a fixed form in the database, so the application's mapper has no say.
	private static final JsonMapper METADATA = JsonMapper.shared();

	private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {
	};

	private final EventTypes types;

	private final Upcasters upcasters;

	private final MessageCodec payloads;

	/**
	 * Creates a codec.
	 * @param types the event types
	 * @param upcasters what turns old events into new ones
	 * @param payloads how payloads are written and read
	 * @throws EventTypeException when two upcasters do the same
	 */
	public EventCodec(EventTypes types, Collection<Upcaster> upcasters, MessageCodec payloads) {
		this.types = types;
		this.upcasters = new Upcasters(upcasters);
		this.payloads = payloads;
	}

	EventTypeName nameOf(NewEvent event) {
		return this.types.nameOf(event.payload().getClass());
	}

	EncodedEvent encode(NewEvent event) {
		Map<String, String> metadata = event.metadata().values();
		return new EncodedEvent(event, nameOf(event), metadata.isEmpty() ? "{}" : METADATA.writeValueAsString(metadata),
				this.payloads.write(event.payload()));
	}

	/**
	 * Reads an event.
	 * @param event the event as it is stored
	 * @param stream its stream where the reader knows it, or {@code null}
	 * @return the event
	 */
	public StoredEvent decode(RawEvent event, @Nullable StreamId stream) {
		Class<?> type = this.types.classOf(event.type().name());
		String json = this.upcasters.upcast(event.type(), this.types.nameOf(type), event.payload());
		return new StoredEvent(event.position(), (stream != null) ? stream : streamOf(event), event.version(),
				MessageId.of(event.id()), event.type().name(), event.type().version(), this.payloads.read(json, type),
				metadata(event), event.recordedAt());
	}

	private static StreamId streamOf(RawEvent event) {
		return (event.streamKey() != null) ? new StreamId(event.streamId(), event.streamKey())
				: StreamId.of(event.streamId());
	}

	private static EventMetadata metadata(RawEvent event) {
		return event.metadata().equals("{}") ? EventMetadata.NONE
				: new EventMetadata(METADATA.readValue(event.metadata(), TEXTS));
	}

}
