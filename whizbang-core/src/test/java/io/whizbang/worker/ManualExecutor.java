package io.whizbang.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;

/**
 * Runs tasks when told.
 */
final class ManualExecutor implements Executor {

	private final List<Runnable> tasks = new ArrayList<>();

	@Override
	public void execute(Runnable task) {
		this.tasks.add(task);
	}

	int size() {
		return this.tasks.size();
	}

	void run() {
		while (!this.tasks.isEmpty()) {
			this.tasks.remove(0).run();
		}
	}

	void runFirst() {
		this.tasks.remove(0).run();
	}

	/** Runs the task that was given last. */
	void runLast() {
		this.tasks.remove(this.tasks.size() - 1).run();
	}

	/** Runs one of the tasks. */
	void runOne(Random random) {
		if (!this.tasks.isEmpty()) {
			this.tasks.remove(random.nextInt(this.tasks.size())).run();
		}
	}

}
