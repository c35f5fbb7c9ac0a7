package io.whizbang.perspective;

import io.whizbang.event.EventTypes;
import io.whizbang.event.StoredEvent;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A perspective made of the annotated methods of a bean.
 */
final class MethodPerspective implements PerspectiveHandler {

	private static final String OWN_TABLES = "Write a method with @OnPrepare that creates tables for it, as PerspectiveRun "
			+ "names them; it may be empty when this version has tables of its own anyway. Without it both would write into "
			+ "the same ones";

	private final String name;

	private final Perspective annotation;

	private final OnMethods methods;

	private final HookMethods hooks;

	private final @Nullable EntityModel<?, ?> entities;

	private final Class<?> type;

	MethodPerspective(String name, Perspective annotation, Class<?> type, OnMethods methods, HookMethods hooks,
			@Nullable EntityModel<?, ?> entities) {
		this.name = name;
		this.annotation = annotation;
		this.type = type;
		this.methods = methods;
		this.hooks = hooks;
		this.entities = entities;
	}

	/**
	 * Looks for what will go wrong.
	 * @param types the event types of the application
	 * @throws IllegalStateException when something will
	 */
	void check(EventTypes types) {
		this.methods.check(types);
		Assert.state(version() <= 1 || this.hooks.prepare() != null,
				() -> "The @Perspective %s has version %d, and a new version is built beside the one that serves. %s"
					.formatted(this, version(), OWN_TABLES));
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public int version() {
		return this.annotation.version();
	}

	@Override
	public boolean global() {
		return this.annotation.global();
	}

	@Override
	public int shards() {
		return this.annotation.shards();
	}

	@Override
	public int concurrency() {
		return this.annotation.concurrency();
	}

	@Override
	public Interest interest() {
		return this.methods;
	}

	@Override
	public void apply(StoredEvent event, PerspectiveRun run) throws Exception {
		OnMethod method = this.methods.of(event);
		if (this.entities != null) {
			this.entities.apply(method, event, run);
		}
		else {
			method.invoke(event, run, null);
		}
	}

	@Override
	public void reset(PerspectiveRun run) {
		if (this.hooks.reset() != null) {
			this.hooks.reset().call(run, null);
		}
		else if (this.entities != null) {
			this.entities.deleteAll();
		}
		else {
			PerspectiveHandler.super.reset(run);
		}
	}

	@Override
	public void resetStream(StreamId stream, PerspectiveRun run) {
		if (this.hooks.resetStream() != null) {
			this.hooks.resetStream().call(run, stream);
		}
		else if (this.entities != null && this.entities.isOnePerStream()) {
			this.entities.delete(stream);
		}
		else {
			PerspectiveHandler.super.resetStream(stream, run);
		}
	}

	@Override
	public void prepare(PerspectiveRun run) {
		if (this.hooks.prepare() != null) {
			this.hooks.prepare().call(run, null);
		}
		else if (run.run() > 1) {
			throw new UnsupportedOperationException(
					"The perspective \"%s\" cannot be built beside the one that serves. %s".formatted(run.name(),
							OWN_TABLES));
		}
	}

	@Override
	public void retire(PerspectiveRun run) {
		if (this.hooks.retire() != null) {
			this.hooks.retire().call(run, null);
		}
	}

	@Override
	public String toString() {
		return this.type.getName();
	}

}
