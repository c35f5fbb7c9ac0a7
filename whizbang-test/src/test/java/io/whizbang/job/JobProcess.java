package io.whizbang.job;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

import io.whizbang.observation.JobObservations;
import io.whizbang.process.ChildProcess;

/**
 * A process that runs jobs, each until it is told to end it.
 */
final class JobProcess implements JobListener {

	private final CountDownLatch end = new CountDownLatch(1);

	/**
	 * Starts the process.
	 * @param arguments URL and user of the database, and the lease of runs
	 */
	public static void main(String[] arguments) {
		JobProcess process = new JobProcess();
		JobHandlers handlers = new JobHandlers();
		handlers.add(JobHandler.of("job", String.class, (payload, run) -> process.run(run)));
		JobParts parts = new JobParts(new JdbcJobStore(ChildProcess.dataSource(arguments, "jobs"), JobFixture.SCHEMA),
				handlers, JobFixture.codec(), null, JobFixture.SETTINGS.withLease(Duration.parse(arguments[2])),
				JobFixture.info("child"), process, JobObservations.NONE);
		new JobWorker(parts, Executors.newCachedThreadPool(), () -> false, null).start();
		ChildProcess.obey((command) -> process.end.countDown());
	}

	private void run(JobRun run) throws InterruptedException {
		ChildProcess.say("begun " + run.attempt());
		try {
			this.end.await();
		}
		catch (InterruptedException ex) {
			ChildProcess.say("interrupted");
			throw ex;
		}
	}

	@Override
	public void lost(JobRun run) {
		ChildProcess.say("lost " + run.token());
	}

}
