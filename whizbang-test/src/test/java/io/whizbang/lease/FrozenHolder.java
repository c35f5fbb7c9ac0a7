package io.whizbang.lease;

import java.time.Duration;

import io.whizbang.process.ChildProcess;

/**
 * A process that acquires a lease and takes a step whenever it is told to.
 */
final class FrozenHolder {

	private FrozenHolder() {
	}

	/**
	 * Starts the process.
	 * @param arguments URL and user of the database, name and duration of the lease
	 */
	public static void main(String[] arguments) {
		JdbcLeases leases = new JdbcLeases(ChildProcess.dataSource(arguments, "holder"), LeaseFixture.SCHEMA,
				LeaseFixture.info("frozen"), LeaseSettings.defaults(), LeaseListener.NONE, null);
		Lease lease = leases.tryAcquire(arguments[2], Duration.parse(arguments[3])).orElseThrow();
		lease.onLost(() -> ChildProcess.say("callback"));
		ChildProcess.say("token " + lease.token());
		ChildProcess.obey((command) -> ChildProcess.say(answer(lease, command)));
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

}
