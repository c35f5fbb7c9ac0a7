package io.whizbang.timer;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Messages that come later. A timer is part of the current transaction: it exists if and
 * only if that commits. When its time has come it becomes, once, a message of the outbox,
 * which goes to the {@link OnTimer} method of its topic or wherever else the outbox sends
 * that topic. Outside a transaction each call is one of its own.
 * <p>
 * All times are those of the database's clock.
 */
public interface Timers {

	/** How many timers one page has at most, and how far they are counted. */
	int MAX_LIMIT = 10_000;

	/**
	 * Schedules a timer.
	 * @param topic where its message goes
	 * @param payload what it says
	 * @param delay how long until it fires
	 * @return its identity
	 */
	default TimerId schedule(String topic, Object payload, Duration delay) {
		return schedule(NewTimer.to(topic, payload).after(delay).build());
	}

	/**
	 * Schedules a timer.
	 * @param topic where its message goes
	 * @param payload what it says
	 * @param due when it fires; at once when that has passed
	 * @return its identity
	 */
	default TimerId schedule(String topic, Object payload, Instant due) {
		return schedule(NewTimer.to(topic, payload).at(due).build());
	}

	/**
	 * Schedules a timer.
	 * @param timer the timer
	 * @return its identity, or that of the existing timer which is kept
	 */
	default TimerId schedule(NewTimer timer) {
		return scheduleAll(List.of(timer)).get(0);
	}

	/**
	 * Schedules timers with one statement, all or none of them.
	 * @param timers the timers; of those with the same key, as if they came one after the
	 * other
	 * @return their identities, in the same order
	 */
	List<TimerId> scheduleAll(Collection<NewTimer> timers);

	/**
	 * Cancels a timer.
	 * @param id the timer
	 * @return {@code true} when it will not fire, given that the current transaction
	 * commits; {@code false} when it has fired, was cancelled, or never was
	 */
	default boolean cancel(TimerId id) {
		return !cancelAll(List.of(id)).isEmpty();
	}

	/**
	 * Cancels the pending timer that has a key.
	 * @param key the key
	 * @return {@code true} when it will not fire, given that the current transaction
	 * commits; {@code false} when there is none
	 */
	boolean cancel(String key);

	/**
	 * Cancels timers with one statement.
	 * @param ids the timers
	 * @return those that will not fire, given that the current transaction commits
	 */
	Set<TimerId> cancelAll(Collection<TimerId> ids);

	/**
	 * Moves a timer.
	 * @param id the timer
	 * @param delay how long until it fires, from now
	 * @return {@code true} when it fires then and not earlier, given that the current
	 * transaction commits; {@code false} when there is none
	 */
	boolean reschedule(TimerId id, Duration delay);

	/**
	 * Moves a timer.
	 * @param id the timer
	 * @param due when it fires
	 * @return {@code true} when it fires then and not earlier, given that the current
	 * transaction commits; {@code false} when there is none
	 */
	boolean reschedule(TimerId id, Instant due);

	/**
	 * Moves the pending timer that has a key.
	 * @param key the key
	 * @param delay how long until it fires, from now
	 * @return {@code true} when it fires then and not earlier, given that the current
	 * transaction commits; {@code false} when there is none
	 */
	boolean reschedule(String key, Duration delay);

	/**
	 * Moves the pending timer that has a key.
	 * @param key the key
	 * @param due when it fires
	 * @return {@code true} when it fires then and not earlier, given that the current
	 * transaction commits; {@code false} when there is none
	 */
	boolean reschedule(String key, Instant due);

	/**
	 * Finds a pending timer.
	 * @param id the timer
	 * @return the timer, unless it has fired, was cancelled, or never was
	 */
	Optional<PendingTimer> find(TimerId id);

	/**
	 * Finds the pending timer that has a key.
	 * @param key the key
	 * @return the timer, if there is one
	 */
	Optional<PendingTimer> find(String key);

	/**
	 * Lists pending timers in the order in which they fire.
	 * @param topic only those to this topic, or {@code null} for all
	 * @param after where the last page ended, or {@code null} for the first one
	 * @param limit how many at most
	 * @return a page; it may have fewer, or none, and still have a next one
	 */
	TimerPage list(@Nullable String topic, @Nullable String after, int limit);

	/**
	 * Counts pending timers.
	 * @param limit where to stop counting
	 * @return how many there are; the limit when there are that many or more
	 */
	int count(int limit);

}
