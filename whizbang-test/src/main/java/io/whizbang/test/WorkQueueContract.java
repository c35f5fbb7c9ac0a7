package io.whizbang.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.whizbang.message.MessageId;
import io.whizbang.queue.QueueBatch;
import io.whizbang.queue.QueueLockLostException;
import io.whizbang.queue.QueueMessage;
import io.whizbang.queue.WorkQueue;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What every {@link WorkQueue} must do. Whoever writes one, or wraps one, extends this
 * class and says how to get at it.
 */
public abstract class WorkQueueContract {

	/** How long keys are locked here. */
	protected static final Duration LOCK = Duration.ofSeconds(30);

	private final String name = "contract-" + UUID.randomUUID();

	/**
	 * Returns the queues.
	 * @return the queues
	 */
	protected abstract WorkQueue queues();

	/**
	 * Returns the same queues as another instance of the application has them; the same
	 * object unless a test says otherwise.
	 * @return the queues
	 */
	protected WorkQueue elsewhere() {
		return queues();
	}

	/**
	 * Lets time go by for the queues, without waiting for it.
	 * @param time how much
	 */
	protected abstract void elapse(Duration time);

	/**
	 * Does something in a transaction.
	 * @param work what to do
	 * @param commit whether the transaction commits
	 */
	protected abstract void inTransaction(Runnable work, boolean commit);

	/**
	 * Returns how often a message may be tried.
	 * @return the number
	 */
	protected abstract int maxAttempts();

	/**
	 * Returns the payloads of a queue's dead letters, oldest first.
	 * @param queue name of the queue
	 * @return the payloads as JSON
	 */
	protected abstract List<String> deadLetters(String queue);

	private void enqueue(String key, Object... payloads) {
		for (Object payload : payloads) {
			queues().enqueue(this.name, key, payload);
		}
	}

	private Optional<QueueBatch> take() {
		return queues().dequeueBatch(this.name, LOCK);
	}

	private QueueBatch taken() {
		return take().orElseThrow(() -> new AssertionError("nothing was handed out"));
	}

	private static List<String> payloads(QueueBatch batch) {
		return batch.messages().stream().map((message) -> message.envelope().payload()).toList();
	}

	private void assertNothing() {
		assertEquals(Optional.empty(), take(), "nothing is handed out");
	}

	private static void assertLost(Runnable end) {
		QueueLockLostException lost = assertThrows(QueueLockLostException.class, end::run);
		assertTrue(String.valueOf(lost.getMessage()).contains(lost.queue()), "the message names the queue");
	}

	@Test
	void anEmptyQueueAnswersAtOnce() {
		assertNothing();
	}

	@Test
	void allMessagesOfAKeyComeTogetherAndInOrder() {
		enqueue("a", 1, 2, 3);
		QueueBatch batch = taken();
		assertEquals("a", batch.key());
		assertEquals(List.of("1", "2", "3"), payloads(batch));
	}

	@Test
	void messagesWithoutAKeyComeSingly() {
		queues().enqueue(this.name, 1);
		queues().enqueue(this.name, 2);
		QueueBatch first = taken();
		QueueBatch second = taken();
		assertNull(first.key());
		assertEquals(List.of("1"), payloads(first));
		assertEquals(List.of("2"), payloads(second));
		assertNothing();
	}

	@Test
	void aLockedKeyIsNobodyElses() {
		enqueue("a", 1);
		taken();
		assertNothing();
	}

	@Test
	void keysAreLockedApart() {
		enqueue("a", 1);
		enqueue("b", 2);
		Set<String> keys = new HashSet<>();
		Set<UUID> tokens = new HashSet<>();
		for (int i = 0; i < 2; i++) {
			QueueBatch batch = taken();
			keys.add(String.valueOf(batch.key()));
			tokens.add(batch.token());
		}
		assertEquals(Set.of("a", "b"), keys);
		assertEquals(2, tokens.size(), "every lock has a token of its own");
	}

	@Test
	void whatArrivesWhileAKeyIsLockedWaitsForItsEnd() {
		enqueue("a", 1);
		QueueBatch first = taken();
		enqueue("a", 2);
		assertNothing();
		queues().ack(first);
		QueueBatch second = taken();
		assertEquals(List.of("2"), payloads(second), "only what was handed out is gone");
	}

	@Test
	void whatArrivesWhileAKeyIsLockedComesWithItAfterAnAbandon() {
		enqueue("a", 1);
		QueueBatch first = taken();
		enqueue("a", 2);
		queues().abandon(first, Duration.ZERO);
		assertEquals(List.of("1", "2"), payloads(taken()));
	}

	@Test
	void whatArrivesWhileAKeyIsLockedComesWithItAfterTheExpiry() {
		enqueue("a", 1);
		taken();
		enqueue("a", 2);
		elapse(LOCK.plusSeconds(1));
		assertEquals(List.of("1", "2"), payloads(taken()));
	}

	@Test
	void acknowledgedMessagesAreGone() {
		enqueue("a", 1);
		queues().ack(taken());
		elapse(LOCK.multipliedBy(2));
		assertNothing();
	}

	@Test
	void aKeyCanBeUsedAgain() {
		for (int i = 0; i < 3; i++) {
			enqueue("a", i);
			QueueBatch batch = taken();
			assertEquals(List.of(Integer.toString(i)), payloads(batch));
			queues().ack(batch);
		}
	}

	@Test
	void aForeignTokenEndsNothing() {
		enqueue("a", 1);
		QueueBatch batch = taken();
		QueueBatch forged = new QueueBatch(batch.queue(), batch.key(), batch.keyId(), UUID.randomUUID(),
				batch.messages());
		assertLost(() -> queues().ack(forged));
		assertLost(() -> queues().abandon(forged, Duration.ZERO));
		assertLost(() -> queues().fail(forged, "no"));
		assertLost(() -> queues().renew(forged, LOCK));
		assertNothing();
		queues().ack(batch);
	}

	@Test
	void anEndedBatchCannotEndAgain() {
		enqueue("a", 1);
		QueueBatch batch = taken();
		queues().ack(batch);
		assertLost(() -> queues().ack(batch));
		assertLost(() -> queues().renew(batch, LOCK));
	}

	@Test
	void anExpiredLockEndsNothingEvenWhenNobodyElseCame() {
		enqueue("a", 1);
		QueueBatch batch = taken();
		elapse(LOCK.plusSeconds(1));
		assertLost(() -> queues().ack(batch));
		assertLost(() -> queues().renew(batch, LOCK));
		assertLost(() -> queues().abandon(batch, Duration.ZERO));
		assertEquals(List.of("1"), payloads(taken()));
	}

	@Test
	void anExpiredKeyGoesToAnotherAndTheFirstOneCanDoNothing() {
		enqueue("a", 1);
		QueueBatch first = taken();
		elapse(LOCK.plusSeconds(1));
		QueueBatch second = taken();
		assertNotEquals(first.token(), second.token());
		assertEquals(2, second.messages().get(0).attempt(), "the lost try counts");
		assertLost(() -> queues().ack(first));
		queues().ack(second);
		assertNothing();
	}

	@Test
	void aRenewedLockLastsLonger() {
		enqueue("a", 1);
		QueueBatch batch = taken();
		elapse(LOCK.minusSeconds(5));
		queues().renew(batch, LOCK);
		elapse(LOCK.minusSeconds(5));
		assertNothing();
		queues().ack(batch);
	}

	@Test
	void anAbandonedBatchWaitsAsLongAsItWasTold() {
		enqueue("a", 1);
		queues().abandon(taken(), Duration.ofSeconds(60));
		enqueue("a", 2);
		assertNothing();
		elapse(Duration.ofSeconds(61));
		assertEquals(List.of("1", "2"), payloads(taken()));
	}

	@Test
	void attemptsAreCountedAndRefunded() {
		enqueue("a", 1);
		QueueBatch first = taken();
		assertEquals(1, first.messages().get(0).attempt());
		queues().abandon(first, Duration.ZERO);
		QueueBatch second = taken();
		assertEquals(2, second.messages().get(0).attempt());
		queues().abandon(second, Duration.ZERO, true);
		assertEquals(2, taken().messages().get(0).attempt(), "a refunded try does not count");
	}

	@Test
	void whatWasTriedTooOftenGoesToTheDeadLetters() {
		enqueue("a", 1);
		for (int i = 1; i <= maxAttempts(); i++) {
			QueueBatch batch = taken();
			assertEquals(i, batch.messages().get(0).attempt());
			queues().abandon(batch, Duration.ZERO);
		}
		assertNothing();
		assertEquals(List.of("1"), deadLetters(this.name));
		enqueue("a", 2);
		assertEquals(List.of("2"), payloads(taken()), "a dead letter blocks nothing");
	}

	@Test
	void aCrashCountsAsATry() {
		enqueue("a", 1);
		for (int i = 1; i <= maxAttempts(); i++) {
			taken();
			elapse(LOCK.plusSeconds(1));
		}
		assertNothing();
		assertEquals(List.of("1"), deadLetters(this.name));
	}

	@Test
	void ofABatchThatIsAbandonedAgainAndAgainOnlyTheFirstDiesWhenItIsGuilty() {
		assertOnlyThePoisonDies(0, (batch) -> queues().abandon(batch, Duration.ZERO));
	}

	@Test
	void ofABatchThatIsAbandonedAgainAndAgainOnlyOneInTheMiddleDiesWhenItIsGuilty() {
		assertOnlyThePoisonDies(6, (batch) -> queues().abandon(batch, Duration.ZERO));
	}

	@Test
	void ofABatchThatIsAbandonedAgainAndAgainOnlyTheLastDiesWhenItIsGuilty() {
		assertOnlyThePoisonDies(11, (batch) -> queues().abandon(batch, Duration.ZERO));
	}

	@Test
	void ofABatchWhoseConsumersCrashOnlyTheFirstDiesWhenItIsGuilty() {
		assertOnlyThePoisonDies(0, (batch) -> elapse(LOCK.plusSeconds(1)));
	}

	@Test
	void ofABatchWhoseConsumersCrashOnlyOneInTheMiddleDiesWhenItIsGuilty() {
		assertOnlyThePoisonDies(6, (batch) -> elapse(LOCK.plusSeconds(1)));
	}

	@Test
	void ofABatchWhoseConsumersCrashOnlyTheLastDiesWhenItIsGuilty() {
		assertOnlyThePoisonDies(11, (batch) -> elapse(LOCK.plusSeconds(1)));
	}

	@Test
	void triesThatDoNotCountHideNoGuiltyOne() {
		assertOnlyThePoisonDies(6, (batch) -> {
			queues().abandon(batch, Duration.ZERO, true);
			queues().abandon(taken(), Duration.ZERO);
		});
	}

	private void assertOnlyThePoisonDies(int poison, Consumer<QueueBatch> end) {
		enqueue("a", IntStream.range(0, 12).boxed().toArray());
		List<String> done = new ArrayList<>();
		int calls = 0;
		for (Optional<QueueBatch> next = take(); next.isPresent(); next = take()) {
			assertTrue(++calls < 200, "it ends some time");
			QueueBatch batch = next.get();
			if (payloads(batch).contains(Integer.toString(poison))) {
				end.accept(batch);
			}
			else {
				queues().ack(batch);
				done.addAll(payloads(batch));
			}
		}
		assertEquals(List.of(Integer.toString(poison)), deadLetters(this.name));
		assertEquals(IntStream.range(0, 12).filter((number) -> number != poison).mapToObj(Integer::toString).toList(),
				done);
	}

	@Test
	void aFailedBatchGoesToTheDeadLettersInOrder() {
		enqueue("a", 1, 2);
		queues().fail(taken(), "hopeless");
		assertNothing();
		assertEquals(List.of("1", "2"), deadLetters(this.name));
	}

	@Test
	void aDelayedMessageIsInvisibleUntilItsTimeAndHoldsUpNobody() {
		queues().enqueue(QueueMessage.to(this.name, 1).key("a").delay(Duration.ofSeconds(60)).build());
		enqueue("a", 2);
		QueueBatch first = taken();
		assertEquals(List.of("2"), payloads(first));
		queues().ack(first);
		assertNothing();
		elapse(Duration.ofSeconds(61));
		assertEquals(List.of("1"), payloads(taken()));
	}

	@Test
	void messagesOfATransactionAppearWithItsCommit() {
		inTransaction(() -> {
			enqueue("a", 1, 2);
			assertNothing();
		}, true);
		assertEquals(List.of("1", "2"), payloads(taken()));
	}

	@Test
	void messagesOfATransactionThatIsRolledBackNeverAppear() {
		inTransaction(() -> enqueue("a", 1), false);
		assertNothing();
	}

	@Test
	void theEndOfABatchIsUndoneWithItsTransaction() {
		enqueue("a", 1);
		QueueBatch batch = taken();
		inTransaction(() -> queues().ack(batch), false);
		assertNothing();
		inTransaction(() -> queues().ack(batch), true);
		elapse(LOCK.plusSeconds(1));
		assertNothing();
	}

	@Test
	void whatABatchLeadsToIsEnqueuedWithItsEndOrNotAtAll() {
		enqueue("a", 1);
		QueueBatch batch = taken();
		Runnable work = () -> {
			queues().ack(batch);
			enqueue("a", 2);
		};
		inTransaction(work, false);
		assertNothing();
		inTransaction(work, true);
		QueueBatch next = taken();
		assertEquals(List.of("2"), payloads(next));
		queues().ack(next);
		elapse(LOCK.plusSeconds(1));
		assertNothing();
	}

	@Test
	void batchesThatEndInOneTransactionEndTogetherOrNotAtAll() {
		enqueue("a", 1);
		enqueue("b", 2);
		QueueBatch first = taken();
		QueueBatch second = taken();
		Runnable work = () -> {
			queues().ack(second);
			queues().ack(first);
		};
		inTransaction(work, false);
		assertNothing();
		inTransaction(work, true);
		elapse(LOCK.plusSeconds(1));
		assertNothing();
		assertLost(() -> queues().ack(first));
	}

	@Test
	void aLockThatRunsOutBeforeTheTransactionCommitsThatHasEndedItsBatchIsNobodyElses() {
		enqueue("a", 1);
		QueueBatch batch = taken();
		inTransaction(() -> {
			queues().ack(batch);
			elapse(LOCK.plusSeconds(1));
			assertNothing();
		}, true);
		assertNothing();
		enqueue("a", 2);
		assertEquals(List.of("2"), payloads(taken()));
	}

	@Test
	void aLockThatRunsOutBeforeTheTransactionRollsBackThatHasEndedItsBatchIsOver() {
		enqueue("a", 1);
		QueueBatch batch = taken();
		inTransaction(() -> {
			queues().ack(batch);
			elapse(LOCK.plusSeconds(1));
			assertNothing();
		}, false);
		assertEquals(List.of("1"), payloads(taken()));
		assertLost(() -> queues().ack(batch));
	}

	@Test
	void aKeyThatIsLockedHereIsLockedInAnotherInstance() {
		enqueue("a", 1);
		QueueBatch batch = taken();
		enqueue("a", 2);
		assertEquals(Optional.empty(), elsewhere().dequeueBatch(this.name, LOCK));
		queues().ack(batch);
		QueueBatch next = elsewhere().dequeueBatch(this.name, LOCK).orElseThrow();
		assertEquals(List.of("2"), payloads(next));
		assertNothing();
		elsewhere().ack(next);
		assertLost(() -> queues().renew(next, LOCK));
	}

	@Test
	void manyConsumersOfOneKeyHaveItOneAfterTheOtherAndInOrder() throws ExecutionException, InterruptedException {
		int messages = 60;
		AtomicInteger holders = new AtomicInteger();
		AtomicBoolean failed = new AtomicBoolean();
		List<String> seen = new CopyOnWriteArrayList<>();
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			List<Future<?>> all = new ArrayList<>();
			all.add(threads.submit(() -> IntStream.range(0, messages).forEach((number) -> enqueue("a", number))));
			for (int i = 0; i < 7; i++) {
				WorkQueue mine = (i % 2 == 0) ? queues() : elsewhere();
				all.add(threads.submit(() -> {
					try {
						while (!failed.get() && seen.size() < messages) {
							mine.dequeueBatch(this.name, LOCK).ifPresent((batch) -> {
								assertEquals(1, holders.incrementAndGet(), "holders of the key");
								seen.addAll(payloads(batch));
								holders.decrementAndGet();
								mine.ack(batch);
							});
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
		assertEquals(IntStream.range(0, messages).mapToObj(Integer::toString).toList(), seen);
		assertNothing();
	}

	@Test
	void aBulkIsEnqueuedAsAWhole() {
		List<QueueMessage> messages = IntStream.range(0, 100)
			.mapToObj((i) -> QueueMessage.to(this.name, i).key("k" + (i % 3)).build())
			.toList();
		List<MessageId> ids = queues().enqueueAll(messages);
		assertEquals(messages.stream().map(QueueMessage::id).toList(), ids);
		int count = 0;
		for (int i = 0; i < 3; i++) {
			count += taken().messages().size();
		}
		assertEquals(100, count);
	}

	@Test
	void tenConsumersAtOnceGetTenKeys() throws ExecutionException, InterruptedException {
		for (int i = 0; i < 10; i++) {
			enqueue("key-" + i, i);
		}
		ExecutorService consumers = Executors.newFixedThreadPool(10);
		try {
			List<Future<Optional<QueueBatch>>> taken = new ArrayList<>();
			for (int i = 0; i < 10; i++) {
				taken.add(consumers.submit(this::take));
			}
			Set<String> keys = new HashSet<>();
			for (Future<Optional<QueueBatch>> batch : taken) {
				batch.get().ifPresent((got) -> keys.add(String.valueOf(got.key())));
			}
			assertEquals(10, keys.size());
		}
		finally {
			consumers.shutdownNow();
		}
	}

}
