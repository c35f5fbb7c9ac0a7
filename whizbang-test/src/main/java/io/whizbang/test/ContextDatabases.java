package io.whizbang.test;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Databases of application contexts. These are closed while the virtual machine ends, at
 * the same time as the embedded server; it must not go before them, or they would wait
 * for connections that never come.
 */
final class ContextDatabases {

	private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

	private static final Set<PostgresDatabase> OPEN = new HashSet<>();

	private ContextDatabases() {
	}

	static PostgresDatabase create(String label) {
		PostgresDatabase database = SharedPostgresServer.createDatabase(label);
		synchronized (OPEN) {
			OPEN.add(database);
		}
		return database;
	}

	static void close(PostgresDatabase database) {
		try {
			database.close();
		}
		finally {
			synchronized (OPEN) {
				OPEN.remove(database);
				OPEN.notifyAll();
			}
		}
	}

	/**
	 * Waits until all are closed, but not for ever: a context may have been forgotten.
	 */
	static void awaitAllClosed() {
		long start = System.nanoTime();
		try {
			synchronized (OPEN) {
				long left = PATIENCE_NANOS;
				while (!OPEN.isEmpty() && left > 0) {
					TimeUnit.NANOSECONDS.timedWait(OPEN, left);
					left = PATIENCE_NANOS - (System.nanoTime() - start);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
