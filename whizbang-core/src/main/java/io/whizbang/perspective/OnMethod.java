package io.whizbang.perspective;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

import io.whizbang.event.EventMetadata;
import io.whizbang.event.StoredEvent;
import io.whizbang.handler.BeanMethod;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * A method that applies events.
 */
final class OnMethod {

	private final BeanMethod<On> method;

	private final List<TypeName> types;

	private final List<Argument> arguments = new ArrayList<>();

	private final boolean returnsEntity;

	private @Nullable Class<?> payloadType;

	private boolean takesEntity;

	/**
	 * Looks at a method.
	 * @param method the method
	 * @param types the types that it names
	 * @param beanType whose method it is
	 * @param entity the entity that it may take and return, or {@code null}
	 * @throws IllegalStateException when it cannot apply events
	 */
	OnMethod(BeanMethod<On> method, List<TypeName> types, Class<?> beanType, @Nullable Class<?> entity) {
		this.method = method;
		this.types = types;
		Class<?> returned = method.method().getReturnType();
		this.returnsEntity = entity != null && returned == entity;
		method.check(this.returnsEntity || returned == void.class,
				(entity == null) ? "must return void: nobody would get what it returns"
						: "must return void or %s: nobody would get anything else".formatted(entity.getSimpleName()));
		for (int i = 0; i < method.method().getParameterCount(); i++) {
			Class<?> type = parameter(method.method(), i, beanType);
			this.arguments.add((type == entity) ? entity() : argument(type));
		}
		method.check(!types.isEmpty() || this.payloadType != null,
				"says nothing about its events; give it a parameter of their class, or name their types as in "
						+ "@On(\"order-placed\")");
		method.check(!types.isEmpty() || this.payloadType != Object.class,
				"takes an Object, which every event is; name types as in @On(\"order-*\"), where \"*\" alone means all "
						+ "events");
	}

	private static Class<?> parameter(Method method, int index, Class<?> beanType) {
		return ResolvableType.forMethodParameter(method, index, beanType).resolve(Object.class);
	}

	private Argument entity() {
		this.takesEntity = true;
		return (event, run, entity) -> entity;
	}

	private Argument argument(Class<?> type) {
		if (type == StoredEvent.class) {
			return (event, run, entity) -> event;
		}
		if (type == EventMetadata.class) {
			return (event, run, entity) -> event.metadata();
		}
		if (type == StreamId.class) {
			return (event, run, entity) -> event.stream();
		}
		if (type == PerspectiveRun.class) {
			return (event, run, entity) -> run;
		}
		this.method.check(this.payloadType == null,
				"has more than one parameter that could be the event; the others may be StoredEvent, EventMetadata, "
						+ "StreamId and PerspectiveRun, and the entity in an EntityPerspective");
		this.payloadType = type;
		return (event, run, entity) -> event.payload();
	}

	/**
	 * Says whether it takes events of a type.
	 * @param eventType the name that they are stored under
	 * @param type the class that they are read as, or {@code null}
	 * @return how it fits, or {@code null} when it does not
	 */
	@Nullable Fit fit(String eventType, @Nullable Class<?> type) {
		if (this.types.isEmpty() && this.payloadType != null) {
			return canTake(type) && type != null ? Fit.byClass(this.payloadType) : null;
		}
		Fit best = null;
		for (TypeName name : this.types) {
			Fit fit = name.fit(eventType, type);
			if (fit != null && (best == null || fit.isBetterThan(best))) {
				best = fit;
			}
		}
		return best;
	}

	private boolean canTake(@Nullable Class<?> type) {
		return this.payloadType == null || type == null || this.payloadType.isAssignableFrom(type);
	}

	/** Whether it gets events by their class alone. */
	boolean isByClass() {
		return this.types.isEmpty();
	}

	void checkCanTake(String eventType, Class<?> type) {
		this.method.check(canTake(type),
				"names the event type \"%s\", whose class %s is not what it takes; let it take a StoredEvent, or name fewer types"
					.formatted(eventType, type.getName()));
	}

	void check(boolean right, String rule) {
		this.method.check(right, rule);
	}

	@Nullable Class<?> payloadType() {
		return this.payloadType;
	}

	boolean takesEntity() {
		return this.takesEntity;
	}

	boolean returnsEntity() {
		return this.returnsEntity;
	}

	@Nullable Object invoke(StoredEvent event, PerspectiveRun run, @Nullable Object entity) throws Exception {
		return this.method.invoke(this.arguments.stream().map((argument) -> argument.of(event, run, entity)).toArray());
	}

	@Override
	public String toString() {
		return this.method.toString();
	}

	/** Makes an argument. */
	@FunctionalInterface
	private interface Argument {

		@Nullable Object of(StoredEvent event, PerspectiveRun run, @Nullable Object entity);

	}

}
