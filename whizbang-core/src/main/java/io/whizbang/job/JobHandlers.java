package io.whizbang.job;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import io.whizbang.message.MessageCodec;
import io.whizbang.work.DefinitionException;
import org.jspecify.annotations.Nullable;

/**
 * The job handlers of the application, and the jobs that its code defines.
 */
public final class JobHandlers {

	private final Map<String, JobHandler<?>> handlers = new ConcurrentHashMap<>();

	private final Map<String, JobDefinition> definitions = new ConcurrentHashMap<>();

	/**
	 * Adds a handler.
	 * @param handler the handler
	 * @throws IllegalStateException when its name is taken
	 */
	public void add(JobHandler<?> handler) {
		JobDefinition.checkName("name of the job handler %s".formatted(handler), handler.name());
		JobHandler<?> other = this.handlers.putIfAbsent(handler.name(), handler);
		if (other != null) {
			throw new DefinitionException("Two job handlers have the name \"%s\": %s and %s. Give one another name"
				.formatted(handler.name(), other, handler));
		}
	}

	/**
	 * Adds a job that exists as soon as the application has started.
	 * @param definition the job
	 */
	public void define(JobDefinition definition) {
		if (this.definitions.putIfAbsent(definition.name(), definition) != null) {
			throw new DefinitionException(
					"The job \"%s\" is defined twice; give one another name".formatted(definition.name()));
		}
	}

	public Collection<JobDefinition> definitions() {
		return List.copyOf(new TreeMap<>(this.definitions).values());
	}

	/**
	 * Returns the names of all handlers.
	 * @return the names
	 */
	public List<String> names() {
		List<String> names = new ArrayList<>(this.handlers.keySet());
		names.sort(null);
		return names;
	}

	public boolean isEmpty() {
		return this.handlers.isEmpty() && this.definitions.isEmpty();
	}

	/**
	 * Says whether a job can run here: one without a handler sends a message, which every
	 * instance can.
	 */
	boolean canRun(@Nullable String handler) {
		return handler == null || this.handlers.containsKey(handler);
	}

	/** Runs a handler with what is read from JSON as it wants it. */
	@SuppressWarnings("unchecked")
	void run(ClaimedRun claimed, MessageCodec codec) throws Exception {
		JobHandler<Object> handler = (JobHandler<Object>) this.handlers.get(claimed.handler());
		if (handler == null) {
			throw new IllegalStateException("There is no job handler \"%s\" here".formatted(claimed.handler()));
		}
		Type type = handler.payloadType();
		String json = claimed.payload();
		handler.run((json == null || type == Void.class) ? null : codec.read(json, type), claimed.run());
	}

}
