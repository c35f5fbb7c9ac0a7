package io.whizbang.inbox;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.whizbang.message.Envelope;
import io.whizbang.message.MessageCodec;
import io.whizbang.work.DefinitionException;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.util.Assert;
import org.springframework.util.PatternMatchUtils;
import org.springframework.util.StringUtils;

import tools.jackson.databind.JsonNode;

/**
 * A receptor with what it wants to get.
 */
final class Subscription {

	/** Payloads of these classes say nothing about the type of the message. */
	private static final List<Class<?>> ANYTHING = List.of(Object.class, Void.class, CharSequence.class, Map.class,
			Collection.class, JsonNode.class);

	private final String name;

	private final Receptor<?> receptor;

	private final Type payloadType;

	private final Set<String> types;

	private final Set<String> topics;

	private final boolean transactional;

	private final @Nullable Duration timeout;

	private final Reliability reliability = new Reliability();

	Subscription(String name, Receptor<?> receptor) {
		Assert.hasText(name, () -> "The name of the receptor %s must not be blank".formatted(receptor));
		this.name = name;
		this.receptor = receptor;
		this.payloadType = receptor.payloadType();
		this.topics = Set.copyOf(receptor.topics());
		this.types = receptor.types().isEmpty() ? namesOf(this.payloadType) : Set.copyOf(receptor.types());
		this.transactional = receptor.transactional();
		this.timeout = receptor.timeout();
		DefinitionException.check(!this.types.isEmpty() || !this.topics.isEmpty(),
				() -> "The receptor %s says neither which types nor which topics it takes: a payload of %s could be "
					.formatted(this, this.payloadType.getTypeName())
						+ "any message. Name a type or a topic; the topic \"*\" means every message");
	}

	private static Set<String> namesOf(Type payloadType) {
		Class<?> payloadClass = ResolvableType.forType(payloadType).resolve(Object.class);
		if (payloadClass == Object.class
				|| ANYTHING.stream().anyMatch((any) -> any != Object.class && any.isAssignableFrom(payloadClass))) {
			return Set.of();
		}
		return Set.of(payloadClass.getName(), payloadClass.getSimpleName());
	}

	/**
	 * Says whether the receptor takes a message. Without a type, the topic alone decides.
	 */
	boolean takes(String topic, String type) {
		boolean topicFits = this.topics.isEmpty()
				|| this.topics.stream().anyMatch((pattern) -> PatternMatchUtils.simpleMatch(pattern, topic));
		if (!StringUtils.hasLength(type)) {
			return topicFits && !this.topics.isEmpty();
		}
		return topicFits && (this.types.isEmpty() || this.types.contains(type));
	}

	String name() {
		return this.name;
	}

	boolean isTransactional() {
		return this.transactional;
	}

	@Nullable Duration timeout() {
		return this.timeout;
	}

	Reliability reliability() {
		return this.reliability;
	}

	RetryPolicy retryPolicy(RetryPolicy configured) {
		return this.receptor.retryPolicy(configured);
	}

	void handle(Envelope envelope, MessageCodec codec) throws Exception {
		handle(this.receptor, envelope, codec);
	}

	// A receptor's payload type is its own type argument, and one of Void expects
	// nothing.
	@SuppressWarnings({ "unchecked", "NullAway" })
	private <T extends @Nullable Object> void handle(Receptor<T> receptor, Envelope envelope, MessageCodec codec)
			throws Exception {
		T payload = (this.payloadType != Void.class) ? (T) codec.read(envelope.payload(), this.payloadType) : null;
		receptor.handle(payload, envelope);
	}

	@Override
	public String toString() {
		return "\"" + this.name + "\" (" + this.receptor + ")";
	}

}
