package io.whizbang.coordinator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.whizbang.message.NewMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The messages of one transaction, kept back until just before its commit: the locks that
 * storing them takes must be its last.
 */
final class TransactionBuffer implements TransactionSynchronization {

	private static final Logger logger = LoggerFactory.getLogger(TransactionBuffer.class);

	private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

	private final TransactionalStore store;

	private final List<NewMessage> waiting = new ArrayList<>();

	/** How many messages were waiting when a savepoint was made. */
	private final Map<Object, Integer> savepoints = new HashMap<>();

	private final Set<Integer> written = new HashSet<>();

	private Phase phase = Phase.OPEN;

	TransactionBuffer(TransactionalStore store) {
		this.store = store;
	}

	void add(List<NewMessage> messages) {
		this.waiting.addAll(messages);
		if (this.phase == Phase.COMMITTING) {
			// Another synchronization enqueues after ours had its turn.
			writeWaiting();
		}
	}

	@Override
	public void suspend() {
		TransactionSynchronizationManager.unbindResource(this.store);
	}

	@Override
	public void resume() {
		TransactionSynchronizationManager.bindResource(this.store, this);
	}

	@Override
	public void savepoint(Object savepoint) {
		this.savepoints.put(savepoint, this.waiting.size());
	}

	@Override
	public void savepointRollback(Object savepoint) {
		// A savepoint that is not known is older than the first message.
		int size = this.savepoints.getOrDefault(savepoint, 0);
		if (size < this.waiting.size()) {
			this.waiting.subList(size, this.waiting.size()).clear();
		}
	}

	/**
	 * Writes what all buffers of the transaction hold, always in the same order of
	 * queues: else the locks of two transactions that use two queues could cross.
	 */
	@Override
	public void beforeCommit(boolean readOnly) {
		List<TransactionBuffer> buffers = new ArrayList<>(1);
		for (TransactionSynchronization synchronization : TransactionSynchronizationManager.getSynchronizations()) {
			if (synchronization instanceof TransactionBuffer buffer) {
				buffers.add(buffer);
			}
		}
		buffers.sort(Comparator.comparing((buffer) -> buffer.store.queue()));
		buffers.forEach(TransactionBuffer::commit);
	}

	private void commit() {
		this.phase = Phase.COMMITTING;
		writeWaiting();
	}

	@Override
	public void beforeCompletion() {
		boolean missedBeforeCommit = this.phase == Phase.OPEN && !this.waiting.isEmpty();
		this.phase = Phase.COMPLETING;
		// A first message that another synchronization enqueues before commit comes too
		// late
		// for our beforeCommit, but not for the transaction.
		if (missedBeforeCommit && !isRollingBack()) {
			try {
				writeWaiting();
			}
			catch (RuntimeException ex) {
				logger.warn("The transaction is rolled back because its messages cannot be stored", ex);
				this.store.rollBack();
			}
		}
	}

	@Override
	public void afterCommit() {
		raiseSignal();
	}

	@Override
	public void afterCompletion(int status) {
		TransactionSynchronizationManager.unbindResourceIfPossible(this.store);
		if (status == STATUS_ROLLED_BACK) {
			return;
		}
		raiseSignal();
		if (status == STATUS_COMMITTED && !this.waiting.isEmpty()) {
			this.store.storeLate(List.copyOf(this.waiting));
		}
	}

	private void writeWaiting() {
		if (this.waiting.isEmpty()) {
			return;
		}
		List<NewMessage> messages = List.copyOf(this.waiting);
		// Before they are written, because a failure ends their transaction: they must
		// not be
		// taken for messages that came after its commit.
		this.waiting.clear();
		this.savepoints.clear();
		this.store.write(messages);
		for (NewMessage message : messages) {
			this.written.add(message.partitionHash());
		}
	}

	private void raiseSignal() {
		if (!this.written.isEmpty()) {
			this.store.raise(Set.copyOf(this.written));
			this.written.clear();
		}
	}

	/**
	 * Spares a rollback the write that it would undo; a rollback that is not recognized
	 * costs only that.
	 */
	private static boolean isRollingBack() {
		return STACK.walk((frames) -> frames
			.filter((frame) -> AbstractPlatformTransactionManager.class.isAssignableFrom(frame.getDeclaringClass()))
			.skip(1)
			.findFirst()
			.map((frame) -> frame.getMethodName().equals("processRollback"))
			.orElse(false));
	}

	private enum Phase {

		OPEN, COMMITTING, COMPLETING

	}

}
