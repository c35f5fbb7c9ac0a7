package io.whizbang.outbox;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.util.Assert;
import org.springframework.util.ReflectionUtils;

/**
 * An annotated method and how its arguments are made.
 *
 * @param method what the application wrote
 * @param invocable what is called, perhaps that of a proxy's interface
 * @param arguments makes each argument from the payload and the envelope
 * @param payloadType what the payload is read as, or {@code null} when nobody asks for it
 */
record HandlerMethod(Method method, Method invocable,
		List<BiFunction<@Nullable Object, Envelope, @Nullable Object>> arguments, @Nullable Type payloadType) {

	private static final ResolvableType HEADERS = ResolvableType.forClassWithGenerics(java.util.Map.class, String.class,
			String.class);

	static HandlerMethod of(Method method) {
		check(method, !Modifier.isPrivate(method.getModifiers()), "must not be private");
		check(method, !Modifier.isStatic(method.getModifiers()), "must not be static");
		check(method, method.getReturnType() == void.class,
				"must return void: nobody would get what it returns, or wait for it");
		List<BiFunction<@Nullable Object, Envelope, @Nullable Object>> arguments = new ArrayList<>();
		Type payloadType = null;
		for (Type type : method.getGenericParameterTypes()) {
			if (type == Envelope.class) {
				arguments.add((payload, envelope) -> envelope);
			}
			else if (type == MessageId.class) {
				arguments.add((payload, envelope) -> envelope.id());
			}
			else if (HEADERS.getType().getTypeName().equals(type.getTypeName())) {
				arguments.add((payload, envelope) -> envelope.headers());
			}
			else {
				check(method, payloadType == null,
						"has more than one parameter that could be the payload; the others may be Envelope, MessageId "
								+ "and Map<String, String>");
				payloadType = type;
				arguments.add((payload, envelope) -> payload);
			}
		}
		return new HandlerMethod(method, method, List.copyOf(arguments), payloadType);
	}

	HandlerMethod through(Method invocable) {
		ReflectionUtils.makeAccessible(invocable);
		return new HandlerMethod(this.method, invocable, this.arguments, this.payloadType);
	}

	@Nullable Object[] arguments(@Nullable Object payload, Envelope envelope) {
		return this.arguments.stream().map((argument) -> argument.apply(payload, envelope)).toArray();
	}

	private static void check(Method method, boolean right, String rule) {
		Assert.state(right, () -> "The @OutboxHandler %s.%s %s".formatted(method.getDeclaringClass().getName(),
				method.getName(), rule));
	}

	@Override
	public String toString() {
		return this.method.getDeclaringClass().getName() + "." + this.method.getName();
	}

}
