package io.whizbang.benchmarks.peer;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.whizbang.benchmarks.Payload;
import io.whizbang.benchmarks.ProcessorTime;
import io.whizbang.benchmarks.Steady;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * What is measured within one contender's process.
 */
final class Workloads {

	private static final int CHUNK = 1000;

	private static final int BURST = 5;

	private static final int PRODUCERS = 8;

	/** After the last expected delivery, so that a repeated one is seen. */
	private static final Duration AFTERWARDS = Duration.ofMillis(200);

	private final Peer peer;

	/** Not the contender's pool: looking must not take part. */
	private final JdbcTemplate jdbc;

	private final String url;

	private final ProcessHandle database;

	private int run;

	private Orders orders = new Orders("none");

	Workloads(Peer peer, String url) {
		this.peer = peer;
		this.url = url;
		this.jdbc = new JdbcTemplate(new SingleConnectionDataSource(url, true));
		this.database = ProcessorTime.database(this.jdbc);
	}

	/**
	 * Drains for some time, more and more at once, then runs producers, so that the
	 * compiler of the virtual machine has done its work.
	 */
	Answer warm(Duration time) throws InterruptedException {
		long end = System.nanoTime() + time.toNanos();
		int messages = 2000;
		while (System.nanoTime() - end < 0) {
			long start = System.nanoTime();
			drain(messages, 2000, Duration.ofNanos(Math.max(1, end - System.nanoTime())));
			if (System.nanoTime() - start < 500_000_000) {
				messages = Math.min(2 * messages, 50_000);
			}
		}
		steady(time.dividedBy(2), Duration.ofSeconds(5));
		return new Answer();
	}

	/** Fills the queue. */
	Answer fill(int messages, int streams) {
		empty();
		List<Payload> chunk = new ArrayList<>();
		int[] places = new int[streams];
		for (int number = 0; number < messages; number++) {
			int stream = (streams < messages) ? (number / BURST) % streams : number;
			chunk.add(this.orders.payload(stream, places[stream]++));
			if (chunk.size() == CHUNK || number == messages - 1) {
				this.peer.load(chunk);
				chunk.forEach(this.orders::committed);
				chunk.clear();
			}
		}
		this.peer.loaded();
		settle();
		return new Answer();
	}

	/**
	 * Delivers what waits: messages per second until the last one is delivered, or until
	 * the time is over.
	 */
	Answer drain(int messages, int streams, Duration limit) throws InterruptedException {
		begin();
		fill(messages, streams);
		Usage before = Usage.now(this.jdbc, this.database);
		long start = System.nanoTime();
		this.peer.start(this.orders);
		boolean finished = awaitDeliveries(limit);
		double seconds = (System.nanoTime() - start) / 1e9;
		int delivered = this.orders.deliveries().size();
		// What is delivered is not yet off the table.
		end();
		Usage used = Usage.now(this.jdbc, this.database).since(before);
		return checked(finished).with(Figures.RATE, delivered / seconds)
			.with(Figures.PROCESSOR, used.micros() / delivered)
			.with(Figures.LOG, (double) used.log() / delivered);
	}

	/** Producers at full speed while messages are delivered. */
	Answer steady(Duration time, Duration limit) throws InterruptedException {
		begin();
		settle();
		this.peer.start(this.orders);
		Usage before = Usage.now(this.jdbc, this.database);
		long start = System.nanoTime();
		double rate = new Steady(this.peer.dataSource(), this.orders).produce(this.peer, PRODUCERS, time);
		long end = System.nanoTime();
		int committed = this.orders.commits().size();
		boolean finished = awaitDeliveries(limit);
		end();
		Usage used = Usage.now(this.jdbc, this.database).since(before);
		long delivered = this.orders.deliveries().sizeBefore(end);
		Answer answer = checked(finished).with(Figures.PRODUCED, rate)
			.with(Figures.DELIVERED, delivered / ((end - start) / 1e9))
			.with(Figures.BACKLOG, committed - delivered)
			.with(Figures.PROCESSOR, used.micros() / committed)
			.with(Figures.LOG, (double) used.log() / committed);
		return latencies(answer);
	}

	/** The same transactions while nobody delivers. */
	Answer alone(Duration time) throws InterruptedException {
		begin();
		settle();
		double rate = new Steady(this.peer.dataSource(), this.orders).produce(this.peer, PRODUCERS, time);
		begin();
		return new Answer().with(Figures.PRODUCED, rate);
	}

	/** Single messages at regular times. */
	Answer trickle(int perSecond, Duration time, Duration limit) throws InterruptedException {
		begin();
		settle();
		this.peer.start(this.orders);
		// Not the contender's start is measured.
		Thread.sleep(1000);
		new Steady(this.peer.dataSource(), this.orders).trickle(this.peer, perSecond, time);
		boolean finished = awaitDeliveries(limit);
		end();
		return latencies(checked(finished));
	}

	/**
	 * Producers at full speed while an old transaction keeps dead rows from being
	 * removed: how much less is delivered in the last tenth of the time than in the
	 * first.
	 */
	Answer churn(Duration time, Duration limit) throws InterruptedException, SQLException {
		begin();
		settle();
		try (Connection old = DriverManager.getConnection(this.url); Statement statement = old.createStatement()) {
			old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			old.setAutoCommit(false);
			statement.execute("select pg_current_xact_id()");
			this.peer.start(this.orders);
			long start = System.nanoTime();
			new Steady(this.peer.dataSource(), this.orders).produce(this.peer, PRODUCERS, time);
			long end = System.nanoTime();
			boolean finished = awaitDeliveries(limit);
			end();
			old.rollback();
			long tenth = (end - start) / 10;
			MessageLog deliveries = this.orders.deliveries();
			// The very first seconds are the compiler's.
			double first = deliveries.sizeBefore(start + 2 * tenth) - deliveries.sizeBefore(start + tenth);
			double last = deliveries.sizeBefore(end) - deliveries.sizeBefore(end - tenth);
			return checked(finished).with(Figures.DELIVERED, deliveries.sizeBefore(end) / ((end - start) / 1e9))
				.with(Figures.DEGRADATION, 100 * (1 - last / first));
		}
	}

	/** Nothing to do. */
	Answer idle(Duration time) throws InterruptedException {
		begin();
		settle();
		this.peer.start(this.orders);
		Thread.sleep(3000);
		Usage before = Usage.now(this.jdbc, this.database);
		Thread.sleep(time.toMillis());
		Usage used = Usage.now(this.jdbc, this.database).since(before);
		end();
		double minutes = time.toMillis() / 60_000.0;
		// One of ours is between the two looks.
		return new Answer().with(Figures.STATEMENTS, Math.max(0, used.statements() - 2) / minutes)
			.with(Figures.IDLE_PROCESSOR, used.micros() / 1e3 / minutes);
	}

	/** Prepares for a run in which several processes take part. */
	Answer share(String run) {
		this.orders = new Orders(run);
		return new Answer();
	}

	/** Starts to deliver, and goes on until told to stop. */
	Answer start() {
		this.peer.start(this.orders);
		return new Answer();
	}

	/** Sends single messages, delivered by whoever's share they are. */
	Answer send(int perSecond, Duration time) {
		new Steady(this.peer.dataSource(), this.orders).trickle(this.peer, perSecond, time);
		return new Answer();
	}

	Answer delivered() {
		return new Answer().with(Figures.DELIVERED, this.orders.deliveries().size());
	}

	/** Stops, and tells what was sent and delivered here. */
	Answer stop(Path commits, Path deliveries) throws InterruptedException {
		end();
		this.orders.commits().write(commits);
		this.orders.deliveries().write(deliveries);
		return new Answer();
	}

	private void begin() {
		this.run++;
		this.orders = new Orders("run" + this.run);
		empty();
	}

	private void empty() {
		this.jdbc.execute("truncate " + String.join(", ", this.peer.tables()));
	}

	/**
	 * What earlier runs have left dead, and plans made while tables were empty, would
	 * slow down one side or the other by chance.
	 */
	private void settle() {
		this.jdbc.execute("vacuum analyze");
		this.jdbc.execute("checkpoint");
	}

	private boolean awaitDeliveries(Duration limit) {
		long deadline = System.nanoTime() + limit.toNanos();
		int expected = this.orders.commits().size();
		while (this.orders.deliveries().size() < expected) {
			if (System.nanoTime() - deadline > 0) {
				return false;
			}
			LockSupport.parkNanos(500_000);
		}
		return true;
	}

	private void end() throws InterruptedException {
		Thread.sleep(AFTERWARDS.toMillis());
		this.peer.stop();
	}

	private Answer checked(boolean finished) {
		DeliveryCheck check = DeliveryCheck.of(this.orders.commits(), this.orders.deliveries());
		return new Answer().with(Figures.UNFINISHED, finished ? 0 : 1)
			.with(Figures.LOST, check.lost())
			.with(Figures.REPEATED, check.repeated())
			.with(Figures.REORDERED, check.reordered());
	}

	private Answer latencies(Answer answer) {
		DeliveryCheck check = DeliveryCheck.of(this.orders.commits(), this.orders.deliveries());
		return answer.with(Figures.P50, check.latency(0.5))
			.with(Figures.P95, check.latency(0.95))
			.with(Figures.P99, check.latency(0.99));
	}

}
