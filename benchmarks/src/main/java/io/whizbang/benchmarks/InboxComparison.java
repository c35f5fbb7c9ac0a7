package io.whizbang.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * How fast received messages are handled: those that wait, and those that arrive
 * meanwhile.
 */
final class InboxComparison {

	static final String DRAIN = "inbox drain, messages/s: ";

	static final String TOGETHER = "inbox receive and handle, messages/s: ";

	private static final int WARM_UPS = 4;

	/** What a consumer of Kafka gets at once, unless it asks for something else. */
	private static final int RECEIVED_AT_ONCE = 500;

	private final DataSource dataSource;

	private final Business business;

	private final int messages;

	InboxComparison(DataSource dataSource, int messages) {
		this.dataSource = dataSource;
		this.business = new Business(dataSource);
		this.messages = messages;
	}

	void run(int rounds, Measurements measurements) throws InterruptedException {
		JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);
		try (RawInbox raw = new RawInbox(this.dataSource, this.business);
				WhizbangInbox whizbang = new WhizbangInbox(this.dataSource, this.business)) {
			List<Contender> contenders = List.of(raw, whizbang);
			for (Contender contender : contenders) {
				for (int i = 0; i < WARM_UPS; i++) {
					measure(contender, new Measurements());
				}
			}
			for (int round = 0; round < rounds; round++) {
				for (Contender contender : contenders) {
					jdbc.execute("checkpoint");
					measure(contender, measurements);
				}
			}
		}
	}

	private void measure(Contender contender, Measurements measurements) throws InterruptedException {
		measurements.add(DRAIN + contender.name(), Drain.run(contender, this.messages));
		this.business.check(contender.name(), this.messages);
		measurements.add(TOGETHER + contender.name(), receiveAndHandle(contender));
		this.business.check(contender.name(), this.messages);
	}

	/** One receiver, as for one broker, that stores one batch after the other. */
	private double receiveAndHandle(Contender contender) throws InterruptedException {
		CountDownLatch left = new CountDownLatch(this.messages);
		contender.start((payload) -> left.countDown());
		long start = System.nanoTime();
		List<Payload> batch = new ArrayList<>();
		for (int number = 0; number < this.messages; number++) {
			batch.add(new Payload(number, Drain.stream(number), 0, Payload.TEXT));
			if (batch.size() == RECEIVED_AT_ONCE || number == this.messages - 1) {
				contender.load(batch);
				batch.clear();
			}
		}
		if (!left.await(5, TimeUnit.MINUTES)) {
			throw new IllegalStateException(contender.name() + " has not handled " + left.getCount() + " messages");
		}
		double seconds = (System.nanoTime() - start) / 1e9;
		contender.stop();
		return this.messages / seconds;
	}

}
