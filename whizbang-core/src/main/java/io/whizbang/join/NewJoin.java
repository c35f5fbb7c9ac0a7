package io.whizbang.join;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.whizbang.message.MessageLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A join that is about to be started.
 *
 * @param expected how many members it waits for, or {@code null} when that is said later
 * @param key a name by which it is found again, and that no other join has, or
 * {@code null}
 * @param failFast whether the first failure closes it; otherwise it waits for the others
 * @param deadline how long it waits at most, or {@code null}
 * @param doneTopic where the message goes that follows when all members are done, or
 * {@code null} when none follows
 * @param failedTopic where the message goes that follows when members have failed, or
 * {@code null}
 * @param deadlineTopic where the message goes that follows when the deadline came first,
 * or {@code null}
 * @param headers what travels with the message that follows
 * @param metadata what the message that follows tells again
 */
public record NewJoin(@Nullable Integer expected, @Nullable String key, boolean failFast, @Nullable Duration deadline,
		@Nullable String doneTopic, @Nullable String failedTopic, @Nullable String deadlineTopic,
		Map<String, String> headers, Map<String, String> metadata) {

	public NewJoin {
		if (expected != null) {
			JoinLimits.checkExpected(expected);
		}
		if (key != null) {
			JoinLimits.checkKey(key);
		}
		if (deadline != null) {
			JoinLimits.checkDeadline(deadline);
		}
		Assert.isTrue(deadline != null || deadlineTopic == null,
				() -> "The join goes to \"%s\" after its deadline, but has none".formatted(deadlineTopic));
		headers = Map.copyOf(headers);
		metadata = Map.copyOf(metadata);
		checkTopic(doneTopic, headers);
		checkTopic(failedTopic, headers);
		checkTopic(deadlineTopic, headers);
		JoinLimits.checkMetadata(metadata);
	}

	private static void checkTopic(@Nullable String topic, Map<String, String> headers) {
		if (topic != null) {
			MessageLimits.checkName("topic", topic);
			MessageLimits.checkHeaders(topic, headers);
		}
	}

	/**
	 * Starts to build a join that knows how many members it will have.
	 * @param members how many
	 * @return the builder
	 */
	public static Builder expecting(int members) {
		return new Builder(members);
	}

	/**
	 * Starts to build a join that is told later, by {@link Joins#seal}, that it has all
	 * its members.
	 * @return the builder
	 */
	public static Builder openEnded() {
		return new Builder(null);
	}

	/**
	 * Returns the same join under a key.
	 * @param key the key
	 * @return the join
	 */
	public NewJoin withKey(String key) {
		return new NewJoin(this.expected, key, this.failFast, this.deadline, this.doneTopic, this.failedTopic,
				this.deadlineTopic, this.headers, this.metadata);
	}

	/**
	 * Builds a join step by step.
	 */
	public static final class Builder {

		private final @Nullable Integer expected;

		private final Map<String, String> headers = new LinkedHashMap<>();

		private final Map<String, String> metadata = new LinkedHashMap<>();

		private @Nullable String key;

		private boolean failFast;

		private @Nullable Duration deadline;

		private @Nullable String doneTopic;

		private @Nullable String failedTopic;

		private @Nullable String deadlineTopic;

		private Builder(@Nullable Integer expected) {
			this.expected = expected;
		}

		/**
		 * Sets the name by which the join is found again. Starting another one with it
		 * finds this one, as long as it is kept.
		 * @param key at most 200 characters
		 * @return this builder
		 */
		public Builder key(String key) {
			this.key = key;
			return this;
		}

		/**
		 * Lets the first failure close the join.
		 * @return this builder
		 */
		public Builder failFast() {
			this.failFast = true;
			return this;
		}

		/**
		 * Sets how long the join waits at most, by the database's clock.
		 * @param deadline how long
		 * @return this builder
		 */
		public Builder deadline(Duration deadline) {
			this.deadline = deadline;
			return this;
		}

		/**
		 * Sets where the message goes that follows when all members are done.
		 * @param topic the topic
		 * @return this builder
		 */
		public Builder whenDone(String topic) {
			this.doneTopic = topic;
			return this;
		}

		/**
		 * Sets where the message goes that follows when members have failed.
		 * @param topic the topic
		 * @return this builder
		 */
		public Builder whenFailed(String topic) {
			this.failedTopic = topic;
			return this;
		}

		/**
		 * Sets where the message goes that follows when the deadline came first.
		 * @param topic the topic
		 * @return this builder
		 */
		public Builder whenExpired(String topic) {
			this.deadlineTopic = topic;
			return this;
		}

		/**
		 * Sets where the message goes that follows, however the members end. Without a
		 * deadline, that is after they all have.
		 * @param topic the topic
		 * @return this builder
		 */
		public Builder whenEnded(String topic) {
			this.doneTopic = topic;
			this.failedTopic = topic;
			return this;
		}

		/**
		 * Adds a header to the message that follows.
		 * @param name its name
		 * @param value its value
		 * @return this builder
		 */
		public Builder header(String name, String value) {
			this.headers.put(name, value);
			return this;
		}

		public Builder headers(Map<String, String> headers) {
			this.headers.putAll(headers);
			return this;
		}

		/**
		 * Adds something that the message that follows tells again.
		 * @param name its name
		 * @param value its value
		 * @return this builder
		 */
		public Builder metadata(String name, String value) {
			this.metadata.put(name, value);
			return this;
		}

		public NewJoin build() {
			return new NewJoin(this.expected, this.key, this.failFast, this.deadline, this.doneTopic, this.failedTopic,
					this.deadlineTopic, this.headers, this.metadata);
		}

	}

}
