package io.whizbang.benchmarks.chaos;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import io.whizbang.work.Outcome;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;
import io.whizbang.work.WorkHandler;
import org.jspecify.annotations.Nullable;

/**
 * Delivers into a table: a delivery has happened when its row is committed.
 */
final class DeliveryHandler implements WorkHandler {

	static final RetryPolicy RETRIES = RetryPolicy.defaults()
		.withMaxAttempts(6)
		.withDelays(Duration.ofMillis(50), Duration.ofSeconds(1));

	private static final String DELIVER = "insert into storm_delivery (message_id, stream_id, seq, process) "
			+ "select u.m, u.s, u.q, ? from unnest(?::uuid[], ?::uuid[], ?::bigint[]) with ordinality u(m, s, q, place) "
			+ "order by u.place";

	private final DataSource dataSource;

	DeliveryHandler(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	@Override
	public Object batchKey(Work work) {
		return "together";
	}

	@Override
	public List<Outcome> handle(List<Work> batch) {
		Set<UUID> stopped = new HashSet<>();
		List<Work> delivered = new ArrayList<>();
		List<Outcome> outcomes = new ArrayList<>();
		for (Work work : batch) {
			UUID stream = work.stream();
			if (stream != null && stopped.contains(stream)) {
				outcomes.add(Outcome.RELEASE);
				continue;
			}
			delivered.add(work);
			Outcome outcome = fails(work)
					? RETRIES.afterFailure(work.attempts(), new IllegalStateException("Told to fail")) : Outcome.DONE;
			if (stream != null && outcome instanceof Outcome.Retry) {
				stopped.add(stream);
			}
			outcomes.add(outcome);
		}
		deliver(delivered);
		if (ThreadLocalRandom.current().nextInt(2000) == 0) {
			// Longer than a lease: the claim is lost meanwhile unless it is renewed.
			LockSupport.parkNanos(Duration.ofSeconds(7).toNanos());
		}
		return outcomes;
	}

	private static boolean fails(Work work) {
		return work.envelope().topic().equals(StormProducer.POISON) || ThreadLocalRandom.current().nextInt(200) == 0;
	}

	private void deliver(List<Work> works) {
		try (Connection connection = this.dataSource.getConnection();
				PreparedStatement statement = connection.prepareStatement(DELIVER)) {
			statement.setLong(1, ProcessHandle.current().pid());
			statement.setArray(2, connection.createArrayOf("uuid",
					works.stream().map((work) -> work.envelope().id().value()).toArray()));
			@Nullable Object[] streams = works.stream().map(Work::stream).toArray();
			statement.setArray(3, connection.createArrayOf("uuid", streams));
			statement.setArray(4, connection.createArrayOf("int8", works.stream().map(Work::seq).toArray()));
			statement.execute();
		}
		catch (SQLException ex) {
			throw new IllegalStateException("Not delivered, or not known to be", ex);
		}
	}

}
