package io.whizbang.queue;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.whizbang.handler.BeanMethod;
import io.whizbang.handler.HandlerMethod;
import io.whizbang.message.Envelope;
import io.whizbang.message.MessageCodec;
import org.jspecify.annotations.Nullable;

/**
 * A consumer's method and how its arguments are made.
 */
final class ConsumerMethod implements Consumer.Call {

	private final BeanMethod<QueueConsumer> method;

	/** How a single message is given, or {@code null} when all come together. */
	private final @Nullable HandlerMethod single;

	private final List<Argument> arguments = new ArrayList<>();

	ConsumerMethod(BeanMethod<QueueConsumer> method) {
		this.method = method;
		boolean together = false;
		for (Type type : method.method().getGenericParameterTypes()) {
			method.check(type != List.class,
					"takes a List of nobody knows what; say what is in it, as in List<String>");
			method.check(type != QueuedMessage.class,
					"takes a QueuedMessage; take an Envelope instead, or a List<QueuedMessage> for all of a key");
			together |= type == QueueBatch.class || isList(type);
		}
		this.single = together ? null : HandlerMethod.of(method, Map.of());
		if (together) {
			method.check(method.method().getReturnType() == void.class,
					"must return void: nobody would get what it returns, or wait for it");
			for (Type type : method.method().getGenericParameterTypes()) {
				this.arguments.add(argument(type));
			}
		}
		method.check(method.method().getParameterCount() > 0, "must take the message, or a list of them");
	}

	private static boolean isList(Type type) {
		return type instanceof ParameterizedType parameterized && parameterized.getRawType() == List.class;
	}

	private Argument argument(Type type) {
		if (type == QueueBatch.class) {
			return (batch, messages, codec) -> batch;
		}
		this.method.check(isList(type), "takes a batch; its parameters may be a QueueBatch and a List of payloads, of "
				+ "QueuedMessage or of Envelope, but not " + type.getTypeName());
		Type element = ((ParameterizedType) type).getActualTypeArguments()[0];
		this.method.check(!(element instanceof WildcardType),
				"takes a %s; say what is in it, as in List<String>".formatted(type.getTypeName()));
		if (element == QueuedMessage.class) {
			return (batch, messages, codec) -> messages;
		}
		if (element == Envelope.class) {
			return (batch, messages, codec) -> messages.stream().map(QueuedMessage::envelope).toList();
		}
		return (batch, messages, codec) -> messages.stream()
			.map((message) -> codec.read(message.envelope().payload(), element))
			.toList();
	}

	boolean together() {
		return this.single == null;
	}

	@Override
	public void call(QueueBatch batch, List<QueuedMessage> messages, MessageCodec codec) throws Exception {
		if (this.single == null) {
			@Nullable Object[] made = this.arguments.stream().map((argument) -> argument.of(batch, messages, codec)).toArray();
			this.method.invoke(made);
			return;
		}
		for (QueuedMessage message : messages) {
			Type type = this.single.payloadType();
			Object payload = (type != null) ? codec.read(message.envelope().payload(), type) : null;
			this.single.invoke(this.method.bean().get(), payload, message.envelope());
		}
	}

	@Override
	public String toString() {
		return this.method.toString();
	}

	/** Makes an argument. */
	@FunctionalInterface
	private interface Argument {

		Object of(QueueBatch batch, List<QueuedMessage> messages, MessageCodec codec);

	}

}
