package io.whizbang.autoconfigure.endpoint;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.whizbang.control.JdbcControl;
import io.whizbang.control.Workers;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.QueueStatistics;
import io.whizbang.letter.Operator;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.util.Assert;

/**
 * Endpoint that shows how everything stands, who shares the work and which streams do not
 * move, and lets operators pause and resume workers on all instances.
 */
@WebEndpoint(id = "whizbang")
public final class WhizbangEndpoint {

	private static final Logger logger = LoggerFactory.getLogger(WhizbangEndpoint.class);

	private final InstanceInfo info;

	private final List<OverviewContributor> contributors;

	private final JdbcControl control;

	private final Workers workers;

	public WhizbangEndpoint(InstanceInfo info, Collection<OverviewContributor> contributors, JdbcControl control,
			Workers workers) {
		this.info = info;
		this.contributors = List.copyOf(contributors);
		this.control = control;
		this.workers = workers;
	}

	@ReadOperation
	public WebEndpointResponse<?> overview() {
		List<OverviewLine> lines = new ArrayList<>();
		this.contributors.forEach((contributor) -> lines.add(line(contributor)));
		return ok(new OverviewBody(
				new OverviewBody.Instance(this.info.serviceName(), this.info.hostName(), this.info.processId()),
				QueueStatistics.LIMIT, lines));
	}

	/**
	 * Shows one part of what there is.
	 * @param part {@code instances}, {@code workers} or {@code blocked}
	 * @return the part
	 */
	@ReadOperation
	public WebEndpointResponse<?> part(@Selector String part) {
		return DeadLettersEndpoint.answer(() -> switch (part) {
			case "instances" -> ok(InstancesBody.of(this.control.registrations(), this.info));
			case "workers" -> ok(WorkersBody.of(this.workers.here(), this.workers.paused()));
			default -> throw new IllegalArgumentException(
					"The part must be one of instances, workers and blocked/{queue} but is '%s'".formatted(part));
		});
	}

	/**
	 * Lists streams that do not move.
	 * @param part what has queues: only blocked
	 * @param queue {@code outbox} or {@code inbox}
	 * @param after what {@code next} was on the page before
	 * @param limit how many at most
	 * @return the streams, those that are due first
	 */
	@ReadOperation
	public WebEndpointResponse<?> blocked(@Selector String part, @Selector String queue, @Nullable String after,
			@Nullable String limit) {
		return DeadLettersEndpoint.answer(() -> {
			Assert.isTrue(part.equals("blocked"),
					() -> "Only blocked has queues; the part must be blocked but is '%s'".formatted(part));
			Queue of = Input.queue(queue);
			Assert.isTrue(of != null && of != Queue.PERSPECTIVES,
					"Streams that have stopped in perspectives are shown by whizbangperspectives/{name}");
			Assert.isTrue(of != Queue.QUEUES, "Keys of work queues that wait are shown by whizbangqueues/{name}");
			int size = Input.limit(limit);
			return ok(BlockedBody.of(this.control.blockedStreams(of, BlockedBody.place(after), size), size));
		});
	}

	/**
	 * Pauses or resumes a worker on all instances.
	 * @param part what can be told what to do: only workers
	 * @param worker name of the worker
	 * @param action {@code pause} or {@code resume}
	 * @param who who wants it, when nobody is logged in
	 * @param note why
	 * @param security who is logged in
	 * @return how workers stand then
	 */
	@WriteOperation
	public WebEndpointResponse<?> act(@Selector String part, @Selector String worker, @Selector String action,
			@Nullable String who, @Nullable String note, SecurityContext security) {
		return DeadLettersEndpoint.answer(() -> {
			Assert.isTrue(part.equals("workers"),
					() -> "Only workers can be told what to do; the part must be workers but is '%s'".formatted(part));
			Operator by = Input.operator(who, note, security);
			switch (action) {
				case "pause" -> this.workers.pause(worker, by);
				case "resume" -> this.workers.resume(worker, by);
				default -> throw new IllegalArgumentException(
						"The action must be one of pause and resume but is '%s'".formatted(action));
			}
			return ok(WorkersBody.of(this.workers.here(), this.workers.paused()));
		});
	}

	/** A feature that cannot tell is worth a line too, and hides no other. */
	private static OverviewLine line(OverviewContributor contributor) {
		Supplier<OverviewLine> line = contributor::line;
		try {
			return line.get();
		}
		catch (RuntimeException ex) {
			logger.warn("A feature cannot tell how it stands", ex);
			return OverviewLine.of("?", "unknown", null, Map.of())
				.problem("A feature cannot tell how it stands: " + ex.getMessage());
		}
	}

	private static WebEndpointResponse<?> ok(Object body) {
		return new WebEndpointResponse<>(body);
	}

}
