package io.whizbang.chaos;

import java.util.Set;
import java.util.UUID;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.WorkBatch;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.coordinator.WorkReport;
import io.whizbang.coordinator.WorkRequest;
import io.whizbang.work.Queue;

/**
 * The coordinator as an instance under attack sees it. Notes what is accepted, and may
 * let the safety sweep run all the time rather than twice a minute.
 */
final class AttackedCoordinator implements WorkCoordinator {

	private final WorkCoordinator coordinator;

	private final Fate fate;

	private final Acceptances acceptances;

	private final Findings findings;

	private final boolean sweeps;

	AttackedCoordinator(WorkCoordinator coordinator, Fate fate, Acceptances acceptances, Findings findings,
			boolean sweeps) {
		this.coordinator = coordinator;
		this.fate = fate;
		this.acceptances = acceptances;
		this.findings = findings;
		this.sweeps = sweeps;
	}

	@Override
	public UUID register(InstanceInfo info, Set<Queue> queues) {
		return judged("register", () -> this.coordinator.register(info, queues));
	}

	@Override
	public void watchSession(UUID instance, Integer backendPid) {
		judged("watchSession", () -> {
			this.coordinator.watchSession(instance, backendPid);
			return true;
		});
	}

	@Override
	public WorkBatch exchange(UUID instance, Queue queue, WorkReport report, WorkRequest request) {
		return judged("exchange", () -> {
			long begun = this.acceptances.begin();
			WorkBatch batch = this.coordinator.exchange(instance, queue, report,
					this.sweeps ? sweeping(request) : request);
			this.acceptances.answered(begun, report, batch);
			return batch;
		});
	}

	@Override
	public void leave(UUID instance) {
		judged("leave", () -> {
			this.coordinator.leave(instance);
			return true;
		});
	}

	private static WorkRequest sweeping(WorkRequest request) {
		String memory = request.memory();
		return (memory != null) ? new WorkRequest(request.limit(), request.concurrency(), request.steal(),
				request.behindOwn(), memory.replace("\"swept_at\"", "\"swept_before\"")) : request;
	}

	private <T> T judged(String what, Call<T> call) {
		this.fate.pass();
		try {
			T answer = call.make();
			this.fate.pass();
			return answer;
		}
		catch (RuntimeException ex) {
			SqlStates.judge(what, ex, this.findings);
			throw ex;
		}
	}

	/**
	 * A call of the coordinator.
	 *
	 * @param <T> what it answers
	 */
	@FunctionalInterface
	private interface Call<T> {

		T make();

	}

}
