package io.whizbang.transport.local;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.whizbang.message.CurrentMessage;
import io.whizbang.message.Envelope;
import io.whizbang.message.MessageCodec;
import io.whizbang.message.StreamId;
import io.whizbang.transport.SendResult;
import io.whizbang.transport.Transport;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.util.ClassUtils;

/**
 * Publishes payloads as events of the application. A message is sent when all synchronous
 * listeners have returned.
 */
public final class SpringEventTransport implements Transport {

	/** Name that routes refer to. */
	public static final String NAME = "spring-events";

	private final ApplicationEventPublisher publisher;

	private final MessageCodec codec;

	private final ClassLoader classLoader;

	/**
	 * Creates a transport.
	 * @param publisher who gets the events
	 * @param codec how payloads are read
	 * @param classLoader where the payloads' classes are
	 */
	public SpringEventTransport(ApplicationEventPublisher publisher, MessageCodec codec, ClassLoader classLoader) {
		this.publisher = publisher;
		this.codec = codec;
		this.classLoader = classLoader;
	}

	@Override
	public String name() {
		return NAME;
	}

	/** Nobody need listen for an event, so a topic must be meant for it. */
	@Override
	public boolean takesUnroutedTopics() {
		return false;
	}

	@Override
	public List<SendResult> send(List<Envelope> messages) {
		List<SendResult> results = new ArrayList<>(messages.size());
		Set<StreamId> failed = new HashSet<>();
		for (Envelope message : messages) {
			StreamId stream = message.stream();
			if (stream != null && failed.contains(stream)) {
				results.add(SendResult.notSent());
				continue;
			}
			SendResult result = publish(message);
			results.add(result);
			if (stream != null && result.status() != SendResult.Status.SENT) {
				failed.add(stream);
			}
		}
		return results;
	}

	private SendResult publish(Envelope message) {
		try (CurrentMessage.Scope scope = CurrentMessage.open(message)) {
			Object event = this.codec.read(message.payload(), payloadClass(message));
			this.publisher.publishEvent(event);
			return SendResult.sent();
		}
		catch (RuntimeException ex) {
			return SendResult.failed(ex);
		}
	}

	private Class<?> payloadClass(Envelope message) {
		try {
			return ClassUtils.forName(message.type(), this.classLoader);
		}
		catch (ClassNotFoundException | LinkageError ex) {
			throw new IllegalStateException(
					"The type \"%s\" of message %s to topic \"%s\" is no class of this application, so it cannot become an event; "
						.formatted(message.type(), message.id(), message.topic())
							+ "keep the class under its name until its messages are gone, or route the topic elsewhere",
					ex);
		}
	}

}
