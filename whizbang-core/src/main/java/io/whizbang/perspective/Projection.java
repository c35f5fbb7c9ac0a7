package io.whizbang.perspective;

import java.lang.reflect.Method;
import java.util.List;

import io.whizbang.event.EventCodec;
import io.whizbang.event.EventTypes;
import io.whizbang.event.StoredEvent;

import org.springframework.util.ClassUtils;

/**
 * The code of a perspective, as the engine uses it.
 */
final class Projection {

	private final PerspectiveHandler handler;

	private final EventCodec codec;

	private final Interests interests;

	private final boolean together;

	Projection(PerspectiveHandler handler, EventCodec codec, EventTypes types, JdbcFeed feed) {
		this.handler = handler;
		this.codec = codec;
		this.interests = new Interests(handler, types, feed);
		this.together = appliesTogether(handler);
	}

	/**
	 * A native image may not know the method: then it is called, which is right for both.
	 */
	private static boolean appliesTogether(PerspectiveHandler handler) {
		if (handler instanceof MethodPerspective) {
			return false;
		}
		Method method = ClassUtils.getMethodIfAvailable(ClassUtils.getUserClass(handler), "applyAll", List.class,
				PerspectiveRun.class);
		return method == null || method.getDeclaringClass() != PerspectiveHandler.class;
	}

	PerspectiveHandler handler() {
		return this.handler;
	}

	Interests interests() {
		return this.interests;
	}

	/** Whether it wants many events in one call. */
	boolean isTogether() {
		return this.together;
	}

	int shards() {
		return this.handler.global() ? 1 : this.handler.shards();
	}

	int lanes() {
		return this.handler.global() ? 1 : Math.max(1, this.handler.concurrency());
	}

	StoredEvent decode(FeedEvent event) {
		return this.codec.decode(event.event(), null);
	}

}
