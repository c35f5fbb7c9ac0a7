package io.whizbang.job;

import java.time.Duration;

import io.whizbang.schedule.Cadence;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * What a job is: when it fires, and what happens then.
 *
 * @param name its name, by which it is known to all instances
 * @param handler which {@link JobHandler} runs, or {@code null} when a message is sent
 * @param topic where a message is sent, or {@code null} when a handler runs
 * @param cron when it fires, or {@code null}
 * @param every how often it fires, or {@code null}
 * @param zone time zone of the cron expression
 * @param payload what its runs get, or {@code null}
 * @param enabled whether it fires
 * @param misfire what becomes of missed times
 * @param catchUpMax how many missed times are made up for at most
 * @param overlap whether a run may begin before the one before it is over
 * @param retry when a failed run is tried again, or {@code null} for what is configured
 */
public record JobDefinition(String name, @Nullable String handler, @Nullable String topic, @Nullable String cron,
		@Nullable Duration every, String zone, @Nullable Object payload, boolean enabled, Misfire misfire,
		int catchUpMax, boolean overlap, @Nullable RetryPolicy retry) {

	static final int MAX_NAME = 200;

	static final int MAX_CATCH_UP = 1000;

	public JobDefinition {
		checkName("name of a job", name);
		if (handler != null) {
			checkName("handler of the job \"%s\"".formatted(name), handler);
		}
		if (topic != null) {
			checkName("topic of the job \"%s\"".formatted(name), topic);
		}
		Assert.isTrue((handler == null) != (topic == null),
				() -> "The job \"%s\" must have either a handler or a topic".formatted(name));
		Assert.isTrue(catchUpMax >= 1 && catchUpMax <= MAX_CATCH_UP,
				() -> "The job \"%s\" may catch up on 1 to %d times but is to on %d".formatted(name, MAX_CATCH_UP,
						catchUpMax));
		checkCadence(name, cron, every, zone);
	}

	private static void checkCadence(String name, @Nullable String cron, @Nullable Duration every, String zone) {
		try {
			Cadence.of(cron, every, zone);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("The job \"%s\" is refused. %s".formatted(name, ex.getMessage()), ex);
		}
	}

	static void checkName(String what, String name) {
		Assert.hasText(name, () -> "The %s must not be blank".formatted(what));
		Assert.isTrue(name.length() <= MAX_NAME, () -> "The %s, \"%s…\", has %d characters, more than %d; shorten it"
			.formatted(what, name.substring(0, 40), name.length(), MAX_NAME));
		Assert.isTrue(name.indexOf('\0') < 0,
				() -> "The %s, \"%s\", contains the character U+0000, which PostgreSQL cannot store; remove it"
					.formatted(what, name.replace('\0', '?')));
	}

	Cadence cadence() {
		return Cadence.of(this.cron, this.every, this.zone);
	}

	/**
	 * Starts to build a job.
	 * @param name its name; also that of its handler, unless another one is given
	 * @return the builder
	 */
	public static Builder of(String name) {
		return new Builder(name);
	}

	/**
	 * Builds a job step by step. Without a cron expression and an interval it runs only
	 * when triggered.
	 */
	public static final class Builder {

		private final String name;

		private @Nullable String handler;

		private @Nullable String topic;

		private @Nullable String cron;

		private @Nullable Duration every;

		private String zone = "UTC";

		private @Nullable Object payload;

		private boolean enabled = true;

		private Misfire misfire = Misfire.COALESCE;

		private int catchUpMax = 1;

		private boolean overlap;

		private @Nullable RetryPolicy retry;

		private Builder(String name) {
			this.name = name;
		}

		/**
		 * Sets when it fires.
		 * @param cron five fields, six fields with the second first, or a macro such as
		 * {@code @daily}
		 * @return this builder
		 */
		public Builder cron(String cron) {
			this.cron = cron;
			return this;
		}

		/**
		 * Sets the time zone of the cron expression.
		 * @param zone its name, such as {@code Europe/Berlin}
		 * @return this builder
		 */
		public Builder zone(String zone) {
			this.zone = zone;
			return this;
		}

		/**
		 * Lets it fire in equal intervals, counted from when it is defined.
		 * @param every the interval
		 * @return this builder
		 */
		public Builder every(Duration every) {
			this.every = every;
			return this;
		}

		/**
		 * Sets which handler runs.
		 * @param handler the handler's name
		 * @return this builder
		 */
		public Builder handler(String handler) {
			this.handler = handler;
			return this;
		}

		/**
		 * Lets it send a message through the outbox, instead of running a handler.
		 * @param topic where the message goes
		 * @return this builder
		 */
		public Builder topic(String topic) {
			this.topic = topic;
			return this;
		}

		/**
		 * Sets what its runs get.
		 * @param payload anything that can be written as JSON
		 * @return this builder
		 */
		public Builder payload(@Nullable Object payload) {
			this.payload = payload;
			return this;
		}

		public Builder enabled(boolean enabled) {
			this.enabled = enabled;
			return this;
		}

		/**
		 * Sets what becomes of missed times.
		 * @param misfire the policy
		 * @return this builder
		 */
		public Builder misfire(Misfire misfire) {
			this.misfire = misfire;
			return this;
		}

		/**
		 * Lets it make up for missed times, one run for each.
		 * @param most how many at most; the latest count
		 * @return this builder
		 */
		public Builder catchUp(int most) {
			this.misfire = Misfire.CATCH_UP;
			this.catchUpMax = most;
			return this;
		}

		/**
		 * Sets whether a run may begin before the one before it is over.
		 * @param overlap whether it may
		 * @return this builder
		 */
		public Builder overlap(boolean overlap) {
			this.overlap = overlap;
			return this;
		}

		/**
		 * Sets when a failed run is tried again.
		 * @param retry the policy; what it never retries is not stored with the job
		 * @return this builder
		 */
		public Builder retry(@Nullable RetryPolicy retry) {
			this.retry = retry;
			return this;
		}

		public JobDefinition build() {
			String handler = (this.handler == null && this.topic == null) ? this.name : this.handler;
			return new JobDefinition(this.name, handler, this.topic, this.cron, this.every, this.zone, this.payload,
					this.enabled, this.misfire, this.catchUpMax, this.overlap, this.retry);
		}

	}

}
