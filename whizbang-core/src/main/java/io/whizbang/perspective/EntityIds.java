package io.whizbang.perspective;

import java.util.UUID;

import io.whizbang.message.StreamId;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.ResolvableType;

/**
 * Makes ids of entities from streams.
 */
final class EntityIds {

	/** Looking into generics for every event would cost more than the event. */
	private static final ClassValue<Class<?>> TYPES = new ClassValue<>() {

		@Override
		protected Class<?> computeValue(Class<?> perspective) {
			return ResolvableType.forClass(perspective).as(EntityPerspective.class).getGeneric(1).resolve(Object.class);
		}

	};

	private EntityIds() {
	}

	static boolean canBeMadeFor(Class<?> perspective) {
		Class<?> type = TYPES.get(perspective);
		return type == String.class || type == UUID.class;
	}

	// The id's class is what the perspective says that it is.
	@SuppressWarnings("unchecked")
	static <I> I of(EntityPerspective<?, I> perspective, StreamId stream) {
		Class<?> type = TYPES.get(AopUtils.getTargetClass(perspective));
		if (type == String.class) {
			return (I) stream.key();
		}
		if (type == UUID.class) {
			return (I) stream.value();
		}
		throw new IllegalStateException(
				"The id of an entity in %s is a %s, which no stream is; implement idOf(StoredEvent) or idOf(StreamId)"
					.formatted(AopUtils.getTargetClass(perspective).getName(), type.getName()));
	}

}
