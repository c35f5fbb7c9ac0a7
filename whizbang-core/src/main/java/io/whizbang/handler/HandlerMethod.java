package io.whizbang.handler;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * An annotated method and how its arguments are made.
 *
 * @param method what the application wrote
 * @param invocable what is called, perhaps that of a proxy's interface
 * @param arguments makes each argument from the payload and the envelope
 * @param payloadType what the payload is read as, or {@code null} when nobody asks for it
 */
public record HandlerMethod(Method method, Method invocable,
		List<BiFunction<@Nullable Object, Envelope, @Nullable Object>> arguments, @Nullable Type payloadType) {

	private static final ResolvableType HEADERS = ResolvableType.forClassWithGenerics(Map.class, String.class,
			String.class);

	/**
	 * Looks at a method.
	 * @param found the method
	 * @param further makes arguments of further types from the envelope
	 * @return the method
	 * @throws IllegalStateException when it cannot be a handler
	 */
	public static HandlerMethod of(BeanMethod<?> found, Map<Class<?>, Function<Envelope, Object>> further) {
		Method method = found.method();
		found.check(method.getReturnType() == void.class,
				"must return void: nobody would get what it returns, or wait for it");
		List<BiFunction<@Nullable Object, Envelope, @Nullable Object>> arguments = new ArrayList<>();
		Type payloadType = null;
		for (Type type : method.getGenericParameterTypes()) {
			if (type == Envelope.class) {
				arguments.add((payload, envelope) -> envelope);
			}
			else if (type instanceof Class<?> itsClass && further.containsKey(itsClass)) {
				Function<Envelope, Object> made = further.get(itsClass);
				arguments.add((payload, envelope) -> made.apply(envelope));
			}
			else if (type == MessageId.class) {
				arguments.add((payload, envelope) -> envelope.id());
			}
			else if (HEADERS.getType().getTypeName().equals(type.getTypeName())) {
				arguments.add((payload, envelope) -> envelope.headers());
			}
			else {
				found.check(payloadType == null,
						"has more than one parameter that could be the payload; the others may be " + others(further)
								+ "Envelope, MessageId and Map<String, String>");
				payloadType = type;
				arguments.add((payload, envelope) -> payload);
			}
		}
		return new HandlerMethod(method, found.invocable(), List.copyOf(arguments), payloadType);
	}

	private static String others(Map<Class<?>, Function<Envelope, Object>> further) {
		return further.keySet()
			.stream()
			.map((type) -> type.getSimpleName() + ", ")
			.sorted()
			.collect(Collectors.joining());
	}

	/**
	 * Calls the method.
	 * @param bean whose method
	 * @param payload what the message says
	 * @param envelope the message
	 * @throws Exception what the method throws
	 */
	public void invoke(Object bean, @Nullable Object payload, Envelope envelope) throws Exception {
		@Nullable Object[] arguments = this.arguments.stream().map((argument) -> argument.apply(payload, envelope)).toArray();
		BeanMethod.invoke(this.invocable, bean, arguments);
	}

	/**
	 * Returns what the payload is read as.
	 * @return the type; {@code Void.class} when the payload need not be read
	 */
	public Type readAs() {
		return (this.payloadType != null) ? this.payloadType : Void.class;
	}

	@Override
	public String toString() {
		return this.method.getDeclaringClass().getName() + "." + this.method.getName();
	}

}
