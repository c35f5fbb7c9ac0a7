package io.whizbang.queue;

import java.time.Duration;

import javax.sql.DataSource;

import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.observation.MessageObservations;
import io.whizbang.process.ChildProcess;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkSignal;

/**
 * A process that takes a batch of a work queue, and ends it when it is told to.
 */
final class QueueProcess {

	private QueueProcess() {
	}

	/**
	 * Starts the process.
	 * @param arguments URL and user of the database, the queue and how long to lock a key
	 */
	public static void main(String[] arguments) {
		DataSource database = ChildProcess.dataSource(arguments, "queues");
		JdbcWorkQueue queues = new JdbcWorkQueue(
				new TransactionalStore(database, new JdbcMessageStore(QueueFixture.SCHEMA), Queue.QUEUES, true,
						WorkSignal.NONE),
				new JdbcQueueStore(database, QueueFixture.SCHEMA), QueueFixture.codec(), MessageObservations.NONE,
				QueueFixture.SETTINGS, QueueFixture.INFO, WorkSignal.NONE);
		QueueBatch batch = queues.dequeueBatch(arguments[2], Duration.parse(arguments[3])).orElseThrow();
		ChildProcess.say("taken " + QueueFixture.payloads(batch.messages()));
		ChildProcess.obey((command) -> ChildProcess.say(answer(queues, batch, command)));
	}

	private static String answer(JdbcWorkQueue queues, QueueBatch batch, String command) {
		try {
			switch (command) {
				case "ack" -> queues.ack(batch);
				case "abandon" -> queues.abandon(batch, Duration.ZERO);
				case "fail" -> queues.fail(batch, "no");
				case "renew" -> queues.renew(batch, Duration.ofMinutes(1));
				default -> throw new IllegalArgumentException(command);
			}
			return command + " done";
		}
		catch (QueueLockLostException ex) {
			return command + " lost: " + ex.getMessage();
		}
	}

}
