package io.whizbang.chaos;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.message.NewMessage;
import io.whizbang.message.StreamId;
import io.whizbang.work.Queue;

/**
 * Stores messages in transactions of all sorts, each with a note of what it stores.
 */
final class Producer implements Runnable {

	private static final JdbcMessageStore STORE = new JdbcMessageStore(ChaosDatabase.SCHEMA);

	private final Workload workload;

	private final Sessions sessions;

	private final Findings findings;

	private final Backlog backlog;

	private final Random random;

	private final BooleanSupplier goesOn;

	Producer(Workload workload, Sessions sessions, Findings findings, Backlog backlog, Random random,
			BooleanSupplier goesOn) {
		this.workload = workload;
		this.sessions = sessions;
		this.findings = findings;
		this.backlog = backlog;
		this.random = random;
		this.goesOn = goesOn;
	}

	@Override
	public void run() {
		while (this.goesOn.getAsBoolean()) {
			try (Connection connection = this.sessions.getConnection()) {
				connection.setAutoCommit(false);
				while (this.goesOn.getAsBoolean()) {
					this.backlog.await(this.goesOn);
					transact(connection);
				}
			}
			catch (SQLException ex) {
				SqlStates.judge("producer", ex, this.findings);
			}
		}
	}

	private void transact(Connection connection) throws SQLException {
		double dice = this.random.nextDouble();
		if (this.random.nextInt(4) == 0) {
			doBusiness(connection);
		}
		if (dice < 0.04) {
			regretPart(connection);
		}
		List<NewMessage> messages = messages();
		boolean notesFirst = this.random.nextBoolean();
		if (notesFirst) {
			Audit.note(connection, messages);
		}
		STORE.store(connection, Queue.OUTBOX, messages, true);
		if (!notesFirst) {
			Audit.note(connection, messages);
		}
		if (this.random.nextDouble() < this.workload.slow()) {
			takeTime(this.workload.longestWait());
		}
		if (dice > 0.95) {
			connection.rollback();
		}
		else {
			connection.commit();
			this.backlog.committed(messages.size());
		}
	}

	/** Gets a transaction number long before the messages get theirs. */
	private void doBusiness(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute("insert into chaos_business default values");
		}
		if (this.random.nextInt(10) == 0) {
			takeTime(Duration.ofMillis(50));
		}
	}

	private void regretPart(Connection connection) throws SQLException {
		Savepoint before = connection.setSavepoint();
		List<NewMessage> regretted = messages();
		Audit.note(connection, regretted);
		STORE.store(connection, Queue.OUTBOX, regretted, true);
		if (this.random.nextInt(10) == 0) {
			takeTime(Duration.ofMillis(50));
		}
		connection.rollback(before);
	}

	private List<NewMessage> messages() {
		List<StreamId> streams = new ArrayList<>();
		for (int i = this.random.nextInt(3); i >= 0; i--) {
			streams.add(stream());
		}
		List<NewMessage> messages = new ArrayList<>();
		for (int i = this.random.nextInt(12); i >= 0; i--) {
			messages
				.add(message((this.random.nextInt(20) > 0) ? streams.get(this.random.nextInt(streams.size())) : null));
		}
		return messages;
	}

	private StreamId stream() {
		boolean hot = this.random.nextInt(100) < 40;
		return StreamId.of(hot ? "hot-" + this.random.nextInt(this.workload.hotStreams())
				: "cold-" + this.random.nextInt(this.workload.coldStreams()));
	}

	private NewMessage message(StreamId stream) {
		if (this.random.nextDouble() < this.workload.poison()) {
			return Message.poison(stream);
		}
		if (this.random.nextInt(200) == 0) {
			return Message.delayed(stream, Duration.ofMillis(1 + this.random.nextInt(1500)));
		}
		// Some so large that bodies come after the claim.
		return Message.plain(stream, (this.random.nextInt(100) > 0) ? "{}" : "\"" + "x".repeat(20_000) + "\"");
	}

	private void takeTime(Duration longest) {
		try {
			TimeUnit.MILLISECONDS.sleep(this.random.nextInt((int) longest.toMillis() + 1));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
