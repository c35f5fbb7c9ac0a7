package io.whizbang.coordinator;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.whizbang.message.NewMessage;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkSignal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Stores messages with the current transaction, or at once when there is none.
 */
public final class TransactionalStore {

	private static final Logger logger = LoggerFactory.getLogger(TransactionalStore.class);

	private static final SQLExceptionTranslator TRANSLATOR = new SQLExceptionSubclassTranslator();

	private final DataSource dataSource;

	private final JdbcMessageStore store;

	private final Queue queue;

	private final boolean strict;

	private final WorkSignal signal;

	private final TransactionCheck check;

	private final AtomicBoolean warned = new AtomicBoolean();

	/**
	 * Creates a store.
	 * @param dataSource the database, the same that the application's transactions use
	 * @param store the statement
	 * @param queue the queue that the messages go to
	 * @param strict whether commit order within a stream is kept
	 * @param signal who wants to know of committed messages
	 */
	public TransactionalStore(DataSource dataSource, JdbcMessageStore store, Queue queue, boolean strict,
			WorkSignal signal) {
		this.dataSource = unwrap(dataSource);
		this.store = store;
		this.queue = queue;
		this.strict = strict;
		this.signal = signal;
		this.check = new TransactionCheck(this.dataSource, (queue == Queue.INBOX) ? "receive" : "enqueue", "message");
	}

	/**
	 * Stores messages: just before the commit of the current transaction, or at once.
	 * @param messages the messages
	 * @throws IllegalStateException when the current transaction cannot store them
	 */
	public void store(List<NewMessage> messages) {
		if (messages.isEmpty()) {
			return;
		}
		if (TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive()) {
			buffer().add(messages);
		}
		else {
			// Listeners that run after completion come here too: their transaction is
			// still
			// bound to the thread, but over.
			this.check.requireNoHiddenTransaction();
			storeNow(messages);
		}
	}

	/**
	 * Refuses a current transaction that messages cannot be part of.
	 * @throws IllegalStateException when it is read-only, or not one of the store's
	 * database
	 */
	public void requireWritableTransaction() {
		this.check.requireWritableTransaction();
	}

	Queue queue() {
		return this.queue;
	}

	private TransactionBuffer buffer() {
		Object bound = TransactionSynchronizationManager.getResource(this);
		if (bound instanceof TransactionBuffer buffer) {
			return buffer;
		}
		this.check.requireWritableTransaction();
		TransactionBuffer buffer = new TransactionBuffer(this);
		TransactionSynchronizationManager.registerSynchronization(buffer);
		TransactionSynchronizationManager.bindResource(this, buffer);
		return buffer;
	}

	/**
	 * Writes messages on the connection of the current transaction.
	 * @param messages the messages
	 */
	void write(List<NewMessage> messages) {
		EntityManagers.flush();
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			this.store.store(connection, this.queue, messages, this.strict);
		}
		catch (SQLException ex) {
			throw translate(ex);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	/**
	 * Undoes the current transaction and makes its commit fail, where an exception would
	 * be ignored. The driver alone does not: it commits an aborted transaction without
	 * complaint.
	 */
	void rollBack() {
		EntityManagers.setRollbackOnly();
		if (TransactionSynchronizationManager.getResource(this.dataSource) instanceof ConnectionHolder holder) {
			holder.setRollbackOnly();
			try {
				holder.getConnection().rollback();
			}
			catch (SQLException ex) {
				throw translate(ex);
			}
		}
	}

	/**
	 * Stores messages in a transaction of their own, whatever the thread is bound to.
	 * @param messages the messages
	 */
	void storeNow(List<NewMessage> messages) {
		try (Connection connection = this.dataSource.getConnection()) {
			if (connection.getAutoCommit()) {
				// One statement is one transaction: no round trips for begin and commit.
				this.store.store(connection, this.queue, messages, this.strict);
			}
			else {
				storeAndCommit(connection, messages);
			}
		}
		catch (SQLException ex) {
			throw translate(ex);
		}
		raise(hashes(messages));
	}

	/**
	 * Stores messages that were enqueued when their transaction had committed already.
	 * @param messages the messages
	 */
	void storeLate(List<NewMessage> messages) {
		if (this.warned.compareAndSet(false, true)) {
			logger.warn("Messages (first to topic {}) were enqueued after the commit of their transaction, as in an "
					+ "afterCommit callback; they are stored in a transaction of their own, which a crash right after the "
					+ "commit loses. Enqueue before the commit to be safe. Further cases are not logged",
					messages.get(0).topic());
		}
		try {
			storeNow(messages);
		}
		catch (RuntimeException ex) {
			logger.error("Could not store messages that were enqueued after the commit of their transaction; "
					+ "they are lost: {}", messages.stream().map(NewMessage::id).toList(), ex);
		}
	}

	private void storeAndCommit(Connection connection, List<NewMessage> messages) throws SQLException {
		boolean committed = false;
		try {
			this.store.store(connection, this.queue, messages, this.strict);
			connection.commit();
			committed = true;
		}
		finally {
			if (!committed) {
				connection.rollback();
			}
		}
	}

	void raise(Set<Integer> partitionHashes) {
		try {
			this.signal.raise(this.queue, partitionHashes);
		}
		catch (RuntimeException ex) {
			// The messages are committed: the caller must not believe otherwise.
			logger.warn("Could not tell the workers of {} about new messages; they find them with their next poll",
					this.queue.label(), ex);
		}
	}

	static Set<Integer> hashes(List<NewMessage> messages) {
		return messages.stream().map(NewMessage::partitionHash).collect(Collectors.toSet());
	}

	private DataAccessException translate(SQLException failure) {
		String task = "Store messages of " + this.queue.label();
		DataAccessException translated = TRANSLATOR.translate(task, null, failure);
		return (translated != null) ? translated : new UncategorizedSQLException(task, null, failure);
	}

	private static DataSource unwrap(DataSource dataSource) {
		DataSource unwrapped = dataSource;
		while (unwrapped instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
			unwrapped = proxy.getTargetDataSource();
		}
		return unwrapped;
	}

}
