package io.whizbang.worker;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.whizbang.work.Outcome;
import io.whizbang.work.Work;
import io.whizbang.work.WorkHandler;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what it got, and does with it what a test says.
 */
final class RecordingHandler implements WorkHandler {

	final List<List<Long>> batches = Collections.synchronizedList(new ArrayList<>());

	final List<Long> started = Collections.synchronizedList(new ArrayList<>());

	final Map<Long, Function<Work, Outcome>> behaviour = Collections.synchronizedMap(new HashMap<>());

	Function<Work, Outcome> otherwise = (work) -> Outcome.DONE;

	Consumer<List<Work>> before = (batch) -> {
	};

	UnaryOperator<List<Outcome>> after = UnaryOperator.identity();

	Function<Work, @Nullable Object> key = (work) -> null;

	@Override
	public @Nullable Object batchKey(Work work) {
		return this.key.apply(work);
	}

	@Override
	public List<Outcome> handle(List<Work> batch) {
		this.before.accept(batch);
		this.batches.add(batch.stream().map(Work::seq).toList());
		List<Outcome> outcomes = new ArrayList<>();
		for (Work work : batch) {
			this.started.add(work.seq());
			outcomes.add(this.behaviour.getOrDefault(work.seq(), this.otherwise).apply(work));
		}
		return this.after.apply(outcomes);
	}

}
