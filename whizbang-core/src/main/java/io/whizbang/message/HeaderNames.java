package io.whizbang.message;

/**
 * Names of the headers that Whizbang itself reads or writes.
 */
public final class HeaderNames {

	/** Ties together all messages that one request or event has led to. */
	public static final String CORRELATION_ID = "correlation-id";

	/** Identity of the message whose handling emitted this one. */
	public static final String CAUSATION_ID = "causation-id";

	/** W3C trace context: the span that enqueued the message. */
	public static final String TRACE_PARENT = "traceparent";

	/** W3C trace context: what tracing vendors add. */
	public static final String TRACE_STATE = "tracestate";

	/** W3C baggage. */
	public static final String BAGGAGE = "baggage";

	/** Where a message of the inbox came from. */
	public static final String SOURCE = "whizbang-source";

	/** The identity that a message of the inbox had there, as its sender wrote it. */
	public static final String SOURCE_ID = "whizbang-source-id";

	/** Present when some receptors are done with a message of the inbox, and not all. */
	public static final String HANDLED_IN_PART = "whizbang-handled-in-part";

	/** Version that an event which is sent as a message has in its stream. */
	public static final String EVENT_VERSION = "whizbang-event-version";

	/** Version of the type of an event which is sent as a message. */
	public static final String EVENT_TYPE_VERSION = "whizbang-event-type-version";

	/** Name of the job that sent a message. */
	public static final String JOB = "whizbang-job";

	/** Number of the job's run that sent a message. */
	public static final String JOB_RUN = "whizbang-job-run";

	/** The time that the job's run is for. */
	public static final String JOB_SCHEDULED_AT = "whizbang-job-scheduled-at";

	/** Identity of the timer whose firing this message is. */
	public static final String TIMER_ID = "whizbang-timer-id";

	/** Key of that timer, if it has one. */
	public static final String TIMER_KEY = "whizbang-timer-key";

	/** When that timer was to fire, in ISO 8601. */
	public static final String TIMER_DUE = "whizbang-timer-due";

	/** How many microseconds too late it fired, by the database's clock. */
	public static final String TIMER_LATE = "whizbang-timer-late";

	/** The join that a message is a member of. */
	public static final String JOIN = "whizbang-join";

	/** Which member of its join a message is; without it that is its identity. */
	public static final String JOIN_MEMBER = "whizbang-join-member";

	private HeaderNames() {
	}

}
