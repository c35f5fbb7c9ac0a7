package io.whizbang.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.whizbang.control.PausedWorker;
import io.whizbang.worker.Pausable;
import org.jspecify.annotations.Nullable;

/**
 * How workers stand, as JSON.
 *
 * @param workers those of this instance, and those that are paused on all
 */
record WorkersBody(List<Worker> workers) {

	static WorkersBody of(List<Pausable> here, List<PausedWorker> paused) {
		Map<String, PausedWorker> pauses = paused.stream()
			.collect(Collectors.toMap(PausedWorker::worker, Function.identity()));
		Map<String, Worker> workers = new TreeMap<>();
		paused.forEach((pause) -> workers.put(pause.worker(), new Worker(pause.worker(), "absent", Pause.of(pause))));
		here.forEach((worker) -> workers.put(worker.label(),
				new Worker(worker.label(), worker.state(), Pause.of(pauses.get(worker.label())))));
		return new WorkersBody(List.copyOf(workers.values()));
	}

	/**
	 * A worker.
	 *
	 * @param name its name
	 * @param state what it does on this instance
	 * @param paused who paused it on all instances
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Worker(String name, String state, @Nullable Pause paused) {
	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Pause(Instant at, String by, @Nullable String note) {

		static @Nullable Pause of(@Nullable PausedWorker worker) {
			return (worker != null) ? new Pause(worker.pausedAt(), worker.by(), worker.note()) : null;
		}

	}

}
