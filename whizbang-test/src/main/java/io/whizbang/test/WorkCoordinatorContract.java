package io.whizbang.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.WorkBatch;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.coordinator.WorkReport;
import io.whizbang.coordinator.WorkRequest;
import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What every {@link WorkCoordinator} must do. Whoever writes one, or wraps one, extends
 * this class and says how to get at it. Each test begins without messages and instances.
 */
public abstract class WorkCoordinatorContract {

	private static final Queue QUEUE = Queue.OUTBOX;

	private static final int ROOM = 100;

	private static final Duration DELAY = Duration.ofSeconds(10);

	private static final Outcome RETRY = new Outcome.Retry(DELAY, "boom");

	private static final Outcome DEAD = new Outcome.Dead("permanent", "hopeless");

	/**
	 * Returns the coordinator.
	 * @return the coordinator
	 */
	protected abstract WorkCoordinator coordinator();

	/**
	 * Lets time go by for the coordinator, without waiting for it.
	 * @param time how much
	 */
	protected abstract void elapse(Duration time);

	/**
	 * Returns how long a claim lasts that nobody renews.
	 * @return the time
	 */
	protected abstract Duration lease();

	/**
	 * Returns how long an instance may be silent until it counts as dead, longer than a
	 * claim lasts.
	 * @return the time
	 */
	protected abstract Duration staleAfter();

	/**
	 * Stores messages in the outbox, in one transaction.
	 * @param stream name of their stream, or {@code null} for messages that have none
	 * @param payloads what they say, as it is to be found in their envelopes
	 */
	protected abstract void store(@Nullable String stream, String... payloads);

	/**
	 * Returns the payloads of the dead letters, oldest first.
	 * @return the payloads
	 */
	protected abstract List<String> deadLetters();

	private UUID join() {
		return coordinator().register(new InstanceInfo("contract", "localhost", 1, Map.of()), Set.of(QUEUE));
	}

	private List<Work> claim(UUID instance) {
		return coordinator().claim(instance, QUEUE, ROOM);
	}

	private Set<Claim> report(UUID instance, List<Work> work, Outcome outcome) {
		Map<Work, Outcome> outcomes = new HashMap<>();
		work.forEach((each) -> outcomes.put(each, outcome));
		return coordinator().report(instance, QUEUE, outcomes);
	}

	private void done(UUID instance, List<Work> work) {
		assertEquals(Set.of(), coordinator().complete(instance, QUEUE, work), "no claim is lost");
	}

	private List<String> drain(UUID instance) {
		List<String> all = new ArrayList<>();
		for (List<Work> work = claim(instance); !work.isEmpty(); work = claim(instance)) {
			all.addAll(payloads(work));
			done(instance, work);
		}
		return all;
	}

	private static List<String> payloads(List<Work> work) {
		return work.stream().map((each) -> each.envelope().payload()).toList();
	}

	private static Set<Claim> claims(List<Work> work) {
		return Set.of(work.get(0).claim());
	}

	private void assertLost(UUID instance, List<Work> work) {
		for (Outcome outcome : List.of(Outcome.DONE, Outcome.RELEASE, RETRY, DEAD)) {
			assertEquals(claims(work), report(instance, work, outcome), "what is lost when told " + outcome);
		}
		assertEquals(claims(work), coordinator().renew(instance, QUEUE, claims(work)), "what is lost when renewed");
		assertEquals(List.of(), deadLetters());
	}

	@Test
	void whatIsClaimedIsNobodyElses() {
		UUID instance = join();
		store("a", "1");
		store(null, "2");
		assertEquals(Set.of("1", "2"), Set.copyOf(payloads(claim(instance))));
		assertEquals(List.of(), claim(instance));
		UUID other = join();
		assertEquals(List.of(), claim(other));
	}

	@Test
	void instancesThatClaimAtOnceGetEveryMessageOnceAndStreamsInOrder()
			throws ExecutionException, InterruptedException {
		int streams = 12;
		int ofEach = 10;
		List<UUID> instances = List.of(join(), join(), join(), join());
		for (int number = 0; number < ofEach; number++) {
			for (int stream = 0; stream < streams; stream++) {
				store("s" + stream, "s" + stream + "/" + number);
			}
		}
		List<String> came = new CopyOnWriteArrayList<>();
		AtomicBoolean failed = new AtomicBoolean();
		ExecutorService threads = Executors.newFixedThreadPool(instances.size());
		try {
			List<Future<?>> all = new ArrayList<>();
			for (UUID instance : instances) {
				all.add(threads.submit(() -> {
					try {
						while (!failed.get() && came.size() < streams * ofEach) {
							List<Work> work = coordinator().claim(instance, QUEUE, 7);
							came.addAll(payloads(work));
							done(instance, work);
						}
					}
					catch (RuntimeException | AssertionError ex) {
						// The others would wait for what comes no more.
						failed.set(true);
						throw ex;
					}
				}));
			}
			for (Future<?> each : all) {
				each.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
		for (int stream = 0; stream < streams; stream++) {
			String name = "s" + stream + "/";
			assertEquals(IntStream.range(0, ofEach).mapToObj((number) -> name + number).toList(),
					came.stream().filter((each) -> each.startsWith(name)).toList());
		}
		assertEquals(streams * ofEach, came.size());
	}

	@Test
	void noMoreIsClaimedThanIsWanted() {
		UUID instance = join();
		store(null, "1", "2", "3");
		assertEquals(2, coordinator().claim(instance, QUEUE, 2).size());
		assertEquals(1, coordinator().claim(instance, QUEUE, 2).size());
	}

	@Test
	void whatIsCompletedIsGone() {
		UUID instance = join();
		store("a", "1", "2");
		done(instance, claim(instance));
		elapse(lease().plusSeconds(1));
		assertEquals(List.of(), claim(instance));
	}

	@Test
	void aStreamComesInTheOrderOfItsCommits() {
		UUID instance = join();
		store("a", "1", "2");
		store("b", "x");
		store("a", "3");
		List<String> came = drain(instance);
		assertEquals(4, came.size());
		assertEquals(List.of("1", "2", "3"), came.stream().filter((each) -> !each.equals("x")).toList());
	}

	@Test
	void aStreamOfWhichSomebodyHasAMessageIsNobodyElses() {
		UUID instance = join();
		store("a", "1");
		List<Work> first = claim(instance);
		UUID other = join();
		store("a", "2");
		assertEquals(List.of(), claim(other));
		done(instance, first);
		List<String> came = new ArrayList<>(drain(other));
		came.addAll(drain(instance));
		assertEquals(List.of("2"), came);
	}

	@Test
	void whatFailsComesAgainLaterAndOnlyItsStreamWaits() {
		UUID instance = join();
		store("a", "1");
		List<Work> first = claim(instance);
		store("a", "2");
		store("b", "x");
		assertEquals(Set.of(), report(instance, first, RETRY));
		assertEquals(List.of("x"), drain(instance));
		elapse(DELAY);
		List<Work> again = claim(instance);
		assertEquals("1", again.get(0).envelope().payload());
		assertEquals(1, again.get(0).attempts());
		assertEquals("boom", again.get(0).lastError());
		done(instance, again);
		assertEquals(again.size() == 1 ? List.of("2") : List.of(), drain(instance));
	}

	@Test
	void aDeadMessageIsKeptAndBlocksNothing() {
		UUID instance = join();
		store("a", "1");
		assertEquals(Set.of(), report(instance, claim(instance), DEAD));
		store("a", "2");
		assertEquals(List.of("1"), deadLetters());
		assertEquals(List.of("2"), drain(instance));
	}

	@Test
	void whatIsReleasedComesAgainAtOnceWithoutAnAttempt() {
		UUID instance = join();
		store("a", "1");
		store(null, "2");
		List<Work> first = claim(instance);
		assertEquals(Set.of(), report(instance, first, Outcome.RELEASE));
		List<Work> again = claim(instance);
		assertEquals(Set.copyOf(payloads(first)), Set.copyOf(payloads(again)));
		assertTrue(again.stream().allMatch((work) -> work.attempts() == 0), "no attempt counts");
	}

	@Test
	void whatIsRenewedStays() {
		UUID instance = join();
		store("a", "1");
		List<Work> held = claim(instance);
		UUID other = join();
		for (int i = 0; i < 3; i++) {
			elapse(lease().minusSeconds(1));
			assertEquals(Set.of(), coordinator().renew(instance, QUEUE, claims(held)));
			assertEquals(List.of(), claim(other));
			assertEquals(List.of(), claim(instance));
		}
		done(instance, held);
	}

	@Test
	void whatHasExpiredComesAgainAsAnAttemptAndTheClaimBeforeChangesNothing() {
		UUID instance = join();
		store("a", "1");
		List<Work> late = claim(instance);
		elapse(lease().plusSeconds(1));
		List<Work> again = claim(instance);
		assertEquals(List.of("1"), payloads(again));
		assertEquals(1, again.get(0).attempts());
		assertNotEquals(late.get(0).claim().token(), again.get(0).claim().token());
		assertLost(instance, late);
		done(instance, again);
		assertEquals(List.of(), drain(instance));
	}

	@Test
	void aForgedOrForeignClaimChangesNothing() {
		UUID instance = join();
		store("a", "1");
		List<Work> held = claim(instance);
		Work own = held.get(0);
		Claim forged = new Claim(own.claim().id(), UUID.randomUUID());
		assertLost(instance, List.of(new Work(forged, own.seq(), 0, null, own.envelope())));
		assertLost(join(), held);
		done(instance, held);
	}

	@Test
	void aLostClaimDoesNotSpoilTheRestOfAReport() {
		UUID instance = join();
		store(null, "1", "2");
		List<Work> lost = coordinator().claim(instance, QUEUE, 1);
		done(instance, lost);
		List<Work> good = coordinator().claim(instance, QUEUE, 1);
		assertEquals(claims(lost), coordinator().complete(instance, QUEUE, List.of(lost.get(0), good.get(0))));
		elapse(lease().plusSeconds(1));
		assertEquals(List.of(), claim(instance));
	}

	@Test
	void anInstanceThatWasTakenForDeadIsRefused() {
		UUID zombie = join();
		store("a", "1");
		List<Work> late = claim(zombie);
		UUID other = join();
		elapse(staleAfter().plusSeconds(1));
		List<Work> taken = claim(other);
		assertEquals(List.of("1"), payloads(taken));
		store("a", "2");
		assertRefused(zombie, late);
		done(other, taken);
		assertEquals(List.of("2"), drain(other));
	}

	@Test
	void anInstanceThatLeavesGivesBackWhatItHasWithoutAnAttempt() {
		UUID instance = join();
		store("a", "1");
		List<Work> held = claim(instance);
		coordinator().leave(instance);
		assertRefused(instance, held);
		List<Work> again = claim(join());
		assertEquals(List.of("1"), payloads(again));
		assertEquals(0, again.get(0).attempts());
	}

	private void assertRefused(UUID instance, List<Work> held) {
		WorkBatch answer = coordinator().exchange(instance, QUEUE, WorkReport.of(Map.of(held.get(0), Outcome.DONE)),
				WorkRequest.upTo(ROOM, null));
		assertTrue(answer.refused(), "the instance is refused");
		assertEquals(claims(held), answer.lost());
		assertEquals(List.of(), answer.work());
	}

}
