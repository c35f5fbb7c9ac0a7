package io.whizbang.coordinator;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.function.Function;

import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;

/**
 * Shares the messages of a queue among instances: strict order per stream, one holder per
 * message, nothing lost when a holder dies. The workers use it; so may an application
 * that builds its own processor.
 * <p>
 * Calls of one instance for one queue are serial: the database lets the second wait.
 * Every call is a transaction of its own, apart from any transaction of the caller.
 */
public interface WorkCoordinator {

	/**
	 * Registers a new instance.
	 * @param info who it is
	 * @param queues the queues whose messages it will claim; only these instances share
	 * them
	 * @return the identity for all later calls, used once and never again
	 */
	UUID register(InstanceInfo info, Set<Queue> queues);

	/**
	 * Tells which database session lives and dies with the instance, so that its death is
	 * noticed early.
	 * @param instance the instance
	 * @param backendPid the session's server process, or {@code null} when there is none
	 */
	void watchSession(UUID instance, @Nullable Integer backendPid);

	/**
	 * Reports and claims in one transaction and one round trip.
	 * @param instance the caller
	 * @param queue the queue
	 * @param report what happened since the last exchange
	 * @param request how much more the caller can take
	 * @return what was claimed, and what the report brought
	 */
	WorkBatch exchange(UUID instance, Queue queue, WorkReport report, WorkRequest request);

	/**
	 * Gives back all that the instance holds, without counting an attempt, and takes it
	 * from the registry.
	 * @param instance the instance
	 */
	void leave(UUID instance);

	/**
	 * Claims messages.
	 * @param instance the caller
	 * @param queue the queue
	 * @param limit how many at most
	 * @return the claimed messages, in queue order
	 */
	default List<Work> claim(UUID instance, Queue queue, int limit) {
		return exchange(instance, queue, WorkReport.nothing(), WorkRequest.upTo(limit, null)).work();
	}

	/**
	 * Reports what became of messages.
	 * @param instance the caller
	 * @param queue the queue
	 * @param outcomes the outcomes
	 * @return the claims that were lost: nothing was changed for messages of these
	 */
	default Set<Claim> report(UUID instance, Queue queue, Map<Work, Outcome> outcomes) {
		return exchange(instance, queue, WorkReport.of(outcomes), WorkRequest.nothing(null)).lost();
	}

	/**
	 * Completes messages.
	 * @param instance the caller
	 * @param queue the queue
	 * @param work the messages
	 * @return the claims that were lost: nothing was changed for messages of these
	 */
	default Set<Claim> complete(UUID instance, Queue queue, Collection<Work> work) {
		return report(instance, queue,
				work.stream().collect(Collectors.toMap(Function.identity(), (w) -> Outcome.DONE)));
	}

	/**
	 * Extends leases.
	 * @param instance the caller
	 * @param queue the queue
	 * @param claims the claims
	 * @return the claims that were lost
	 */
	default Set<Claim> renew(UUID instance, Queue queue, Collection<Claim> claims) {
		WorkReport report = new WorkReport(List.of(), Map.of(), claims, null, List.of());
		return exchange(instance, queue, report, WorkRequest.nothing(null)).lost();
	}

}
