package io.whizbang.observation;

/**
 * Names of all meters, spans and their tags.
 */
public final class ObservationNames {

	/** Observation: messages are enqueued. */
	public static final String ENQUEUE = "whizbang.enqueue";

	/** Observation: a message is delivered. */
	public static final String DELIVER = "whizbang.deliver";

	/** Observation: a receptor handles a message of the inbox. */
	public static final String HANDLE = "whizbang.handle";

	/** Observation: events are appended. */
	public static final String APPEND = "whizbang.append";

	/** Observation: a perspective applies events, in one transaction. */
	public static final String APPLY = "whizbang.apply";

	/** Observation: the handler of a job's run works. */
	public static final String RUN = "whizbang.run";

	/** Counter: messages that arrived, by what became of them. */
	public static final String MESSAGES_RECEIVED = "whizbang.messages.received";

	/** Counter: messages that came by and had no receptor. */
	public static final String MESSAGES_UNHANDLED = "whizbang.messages.unhandled";

	/** Counter: messages whose work has ended. */
	public static final String WORK_ENDED = "whizbang.work.ended";

	/** Counter: messages claimed. */
	public static final String WORK_CLAIMED = "whizbang.work.claimed";

	/** Timer: round trips to the coordinator. */
	public static final String EXCHANGE = "whizbang.exchange";

	/** Counter: rounds of the loop that failed. */
	public static final String ROUND_FAILURES = "whizbang.round.failures";

	/** Counter: claims whose lease ended before the work did. */
	public static final String CLAIMS_LOST = "whizbang.claims.lost";

	/** Counter: messages recovered from vanished or stuck instances. */
	public static final String MESSAGES_RECOVERED = "whizbang.messages.recovered";

	/** Counter: messages that only the safety sweep found; anything but 0 is a bug. */
	public static final String MESSAGES_ORPHANED = "whizbang.messages.orphaned";

	/**
	 * Gauge: messages in a queue, by status; long queues are not counted to their end.
	 */
	public static final String QUEUE_MESSAGES = "whizbang.queue.messages";

	/** Gauge: age of the oldest message that is ready or waits, in seconds. */
	public static final String OLDEST_AGE = "whizbang.queue.oldest.age";

	/** Gauge: batches in the hands of instances. */
	public static final String CLAIMS = "whizbang.claims";

	/** Gauge: messages that will not be tried again. */
	public static final String DEAD_LETTERS = "whizbang.dead.letters";

	/** Counter: dead letters that somebody put back into their streams. */
	public static final String DEAD_LETTERS_REPLAYED = "whizbang.dead.letters.replayed";

	/** Counter: dead letters that somebody removed for good, or whose time was over. */
	public static final String DEAD_LETTERS_DISCARDED = "whizbang.dead.letters.discarded";

	/** Counter: events that perspectives have applied or passed. */
	public static final String PERSPECTIVE_EVENTS = "whizbang.perspective.events";

	/** Timer: pages of events that perspectives have applied. */
	public static final String PERSPECTIVE_PAGES = "whizbang.perspective.pages";

	/** Counter: failures of events in perspectives. */
	public static final String PERSPECTIVE_FAILURES = "whizbang.perspective.failures";

	/** Counter: pages that were rolled back because another instance had taken over. */
	public static final String PERSPECTIVE_SHARDS_LOST = "whizbang.perspective.shards.lost";

	/** Gauge: events that a perspective has before it. */
	public static final String PERSPECTIVE_LAG = "whizbang.perspective.lag";

	/** Gauge: streams that stand still in a perspective, by status. */
	public static final String PERSPECTIVE_STREAMS = "whizbang.perspective.streams";

	/** Gauge: part of all events that a run has behind it which is being built. */
	public static final String PERSPECTIVE_PROGRESS = "whizbang.perspective.progress";

	/** Counter: leases that were acquired. */
	public static final String LEASES_ACQUIRED = "whizbang.lease.acquired";

	/** Counter: leases that were not acquired because somebody had them. */
	public static final String LEASES_REFUSED = "whizbang.lease.refused";

	/** Counter: leases that ended before they were released. */
	public static final String LEASES_LOST = "whizbang.lease.lost";

	/** Counter: renewals of leases that failed and were tried again. */
	public static final String LEASE_RENEWAL_FAILURES = "whizbang.lease.renewal.failures";

	/** Gauge: leases that the instance holds. */
	public static final String LEASES_HELD = "whizbang.lease.held";

	/** Timer: runs of jobs, by how they ended. */
	public static final String JOB_RUNS = "whizbang.job.runs";

	/** Timer: how long after its time a run of a job begins. */
	public static final String JOB_LATENESS = "whizbang.job.lateness";

	/** Counter: runs that were another instance's when their handler ended. */
	public static final String JOB_RUNS_LOST = "whizbang.job.runs.lost";

	/** Counter: how often a job was found to have missed times. */
	public static final String JOB_MISFIRES = "whizbang.job.misfires";

	/** Gauge: jobs that need somebody to look, by why. */
	public static final String JOBS = "whizbang.jobs";

	/** Timer: how late timers fire. */
	public static final String TIMER_LATENESS = "whizbang.timer.lateness";

	/** Gauge: timers that have not fired; not counted to the end when they are many. */
	public static final String TIMERS_PENDING = "whizbang.timers.pending";

	/** Counter: slices of fan-outs that were planned. */
	public static final String FANOUT_PLANNED = "whizbang.fanout.planned";

	/** Timer: slices of fan-outs that were completed. */
	public static final String FANOUT_SLICES = "whizbang.fanout.slices";

	/** Counter: slices that came when their window was completed already. */
	public static final String FANOUT_REPEATED = "whizbang.fanout.repeated";

	/** Timer: how long after the end of its window a slice begins. */
	public static final String FANOUT_LATENESS = "whizbang.fanout.lateness";

	/** Timer: runs that asked a planner to its end. */
	public static final String FANOUT_RUNS = "whizbang.fanout.runs";

	/** Counter: runs that failed. */
	public static final String FANOUT_RUN_FAILURES = "whizbang.fanout.run.failures";

	/** Counter: candidates that were left out because they are wrong. */
	public static final String FANOUT_REFUSED = "whizbang.fanout.refused";

	/** Gauge: fan-outs that need somebody to look, by why. */
	public static final String FANOUTS = "whizbang.fanouts";

	/** Counter: reports of members of joins that were counted. */
	public static final String JOIN_REPORTS = "whizbang.join.reports";

	/** Counter: joins that were closed, by how they ended. */
	public static final String JOIN_CLOSED = "whizbang.join.closed";

	/** Counter: messages that follow joins and were refused by the outbox. */
	public static final String JOIN_FOLLOW_UP_FAILURES = "whizbang.join.follow-up.failures";

	/** Gauge: joins that are open; not counted to the end when they are many. */
	public static final String JOINS_OPEN = "whizbang.joins.open";

	/** Gauge: reports that are not counted yet; not counted to the end either. */
	public static final String JOINS_UNCOUNTED = "whizbang.joins.uncounted";

	/** How long the first message of a batch of a work queue waited. */
	public static final String QUEUES_LATENESS = "whizbang.queues.lateness";

	/** Messages of work queues that were consumed. */
	public static final String QUEUES_CONSUMED = "whizbang.queues.consumed";

	/** Calls of consumers. */
	public static final String QUEUES_CALLS = "whizbang.queues.calls";

	/** Calls of consumers that failed. */
	public static final String QUEUES_FAILURES = "whizbang.queues.failures";

	/** Batches of work queues whose lock was over before their end could be told. */
	public static final String QUEUES_LOST = "whizbang.queues.lost";

	/** Messages in all work queues, up to a limit for each. */
	public static final String QUEUES_MESSAGES = "whizbang.queues.messages";

	/** Keys of all work queues, up to a limit for each. */
	public static final String QUEUES_KEYS = "whizbang.queues.keys";

	/** How long the first in line of any work queue has been waiting. */
	public static final String QUEUES_OLDEST = "whizbang.queues.oldest";

	/** Tag: how messages stand: ready, waiting, parked or scheduled. */
	public static final String STATUS = "status";

	/** Tag: the queue. */
	public static final String QUEUE = "queue";

	/** Tag: the topic. */
	public static final String TOPIC = "topic";

	/** Tag: the type of an event. */
	public static final String TYPE = "type";

	/** Tag: what became of the work. */
	public static final String OUTCOME = "outcome";

	/** Tag: where a message is delivered to: a transport's name, or the handlers. */
	public static final String DESTINATION = "destination";

	/** Tag: name of the receptor. */
	public static final String RECEPTOR = "receptor";

	/** Tag: name of the perspective. */
	public static final String PERSPECTIVE = "perspective";

	/** Tag: label of a lease. */
	public static final String LEASE = "lease";

	/** Tag: the work key of a fan-out. */
	public static final String WORK = "work";

	/** Tag: name of the job. */
	public static final String JOB = "job";

	/** Tag: simple name of an exception's class. */
	public static final String EXCEPTION = "exception";

	/** Span attribute: identity of the message. */
	public static final String MESSAGE_ID = "message.id";

	/** Span attribute: the message's stream. */
	public static final String STREAM = "stream";

	/** Span attribute: how many messages. */
	public static final String COUNT = "count";

	/** Span attribute: number of a job's run. */
	public static final String RUN_ID = "run.id";

	/** Span attribute: which try it is, from 1. */
	public static final String ATTEMPT = "attempt";

	private ObservationNames() {
	}

}
