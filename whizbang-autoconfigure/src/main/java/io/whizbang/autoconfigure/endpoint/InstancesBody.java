package io.whizbang.autoconfigure.endpoint;

import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.whizbang.control.Registration;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.work.Queue;

/**
 * Who shares the work, as JSON.
 *
 * @param instances processes whose workers are registered
 */
record InstancesBody(List<Instance> instances) {

	static InstancesBody of(List<Registration> registrations, InstanceInfo here) {
		Map<List<Object>, List<Registration>> processes = registrations.stream()
			.collect(Collectors.groupingBy(
					(registration) -> List.of(registration.service(), registration.host(), registration.process()),
					LinkedHashMap::new, Collectors.toList()));
		return new InstancesBody(processes.values().stream().map((all) -> Instance.of(all, here)).toList());
	}

	/**
	 * A process.
	 *
	 * @param service name of its service
	 * @param host where it runs
	 * @param process its number there
	 * @param here whether it is the one that answers
	 * @param startedAt when the first of its workers registered
	 * @param heartbeatAt when one of them last showed that it is alive
	 * @param silentMs how long ago that is
	 * @param workers its workers
	 */
	record Instance(String service, String host, long process, boolean here, Instant startedAt, Instant heartbeatAt,
			long silentMs, List<Member> workers) {

		static Instance of(List<Registration> all, InstanceInfo info) {
			Registration first = all.get(0);
			Registration latest = all.stream().min(Comparator.comparing(Registration::silent)).orElse(first);
			Instant started = all.stream().map(Registration::startedAt).min(Comparator.naturalOrder()).orElseThrow();
			boolean here = first.service().equals(info.serviceName()) && first.host().equals(info.hostName())
					&& first.process() == info.processId();
			return new Instance(first.service(), first.host(), first.process(), here, started, latest.heartbeatAt(),
					latest.silent().toMillis(), all.stream().map(Member::of).toList());
		}

	}

	/**
	 * A worker's place among those that share a queue.
	 *
	 * @param id its identity
	 * @param queue the queue
	 * @param rank its place, from 0
	 * @param members how many share the queue
	 * @param heartbeatAt when it last showed that it is alive
	 * @param claims how many batches it holds
	 * @param messages how many messages these have
	 */
	record Member(String id, String queue, int rank, int members, Instant heartbeatAt, int claims, long messages) {

		static Member of(Registration registration) {
			return new Member(registration.id().toString(), label(registration.queue()), registration.rank(),
					registration.members(), registration.heartbeatAt(), registration.claims(), registration.messages());
		}

		/** A later release may have queues that this one does not know. */
		private static String label(int number) {
			return Arrays.stream(Queue.values())
				.filter((queue) -> queue.number() == number)
				.map(Queue::label)
				.findFirst()
				.orElse(String.valueOf(number));
		}

	}

}
