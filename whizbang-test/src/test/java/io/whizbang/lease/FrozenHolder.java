package io.whizbang.lease;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A process that acquires a lease and takes a step whenever it is told to on its input.
 */
final class FrozenHolder {

	static final String PASSWORD_VARIABLE = "FROZEN_HOLDER_PASSWORD";

	/** Begins each line that is meant for the test. */
	static final String MARK = "HOLDER ";

	private FrozenHolder() {
	}

	/**
	 * Starts the process.
	 * @param arguments URL and user of the database, name and duration of the lease
	 * @throws IOException when nobody tells what to do
	 */
	public static void main(String[] arguments) throws IOException {
		PGSimpleDataSource database = new PGSimpleDataSource();
		database.setUrl(arguments[0]);
		database.setUser(arguments[1]);
		database.setPassword(System.getenv(PASSWORD_VARIABLE));
		HikariConfig config = new HikariConfig();
		config.setDataSource(database);
		config.setMaximumPoolSize(2);
		JdbcLeases leases = new JdbcLeases(new HikariDataSource(config), LeaseFixture.SCHEMA,
				LeaseFixture.info("frozen"), LeaseSettings.defaults(), LeaseListener.NONE);
		Lease lease = leases.tryAcquire(arguments[2], Duration.parse(arguments[3])).orElseThrow();
		lease.onLost(() -> say("callback"));
		say("token " + lease.token());
		try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
			input.lines().forEach((command) -> say(answer(lease, command)));
		}
		finally {
			Runtime.getRuntime().halt(0);
		}
	}

	private static String answer(Lease lease, String command) {
		try {
			switch (command) {
				case "step" -> lease.throwIfLost();
				case "renew" -> {
					return "renewed " + lease.renewNow();
				}
				case "close" -> lease.close();
				default -> throw new IllegalArgumentException(command);
			}
			return command + " done";
		}
		catch (LeaseLostException ex) {
			return "lost " + ex.token();
		}
	}

	private static synchronized void say(String text) {
		System.out.println(MARK + text);
	}

}
