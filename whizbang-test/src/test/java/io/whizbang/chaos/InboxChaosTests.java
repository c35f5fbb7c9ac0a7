package io.whizbang.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.inbox.IncomingMessage;
import io.whizbang.inbox.InboxSettings;
import io.whizbang.inbox.JdbcInbox;
import io.whizbang.observation.MessageObservations;
import io.whizbang.test.Await;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.work.WorkSignal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * G3 and G6 of the inbox, whatever happens to those who receive and to those who handle.
 */
class InboxChaosTests {

	private static final Logger logger = LoggerFactory.getLogger(InboxChaosTests.class);

	private static final Duration FIGHT = Duration.ofSeconds(6);

	private static final int STREAMS = 40;

	private static final int BACKLOG = 1000;

	private final Findings findings = new Findings();

	private final Acceptances acceptances = new Acceptances(this.findings);

	private final List<InboxInstance> living = new ArrayList<>();

	private final List<Thread> leaving = new ArrayList<>();

	private final AtomicBoolean receiving = new AtomicBoolean(true);

	private final AtomicInteger received = new AtomicInteger();

	private ChaosDatabase database;

	@BeforeEach
	void createDatabase() {
		this.database = ChaosDatabase.create();
		this.database.jdbc().execute("""
				create table chaos_effect (place bigint generated always as identity, receptor text, stream text,
				    number int)""");
	}

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Test
	void effectsComeOnceAndInOrderWhateverHappens() {
		Random random = new Random(Seed.next("Chaos of the inbox"));
		join(random);
		join(random);
		Sessions sessions = new Sessions(this.database.database().unpooledDataSource());
		Thread receiver = new Thread(() -> receive(sessions), "chaos-receiver");
		receiver.start();
		long end = System.nanoTime() + FIGHT.toNanos();
		int attacks = 0;
		while (System.nanoTime() - end < 0) {
			pause();
			attack(random, sessions);
			attacks++;
		}
		this.receiving.set(false);
		join(receiver);
		this.living.forEach(InboxInstance::goOn);
		join(random);
		try {
			Await.until(() -> this.database.count("whizbang.wh_inbox") + " messages to be handled",
					Duration.ofSeconds(30), () -> this.database.count("whizbang.wh_inbox") == 0);
		}
		finally {
			List.copyOf(this.living).forEach(this::leave);
			this.leaving.forEach(InboxChaosTests::join);
		}
		logger.info("{} messages, {} effects, {} attacks, {} claims lost, found {}", this.received,
				this.database.count("chaos_effect"), attacks, this.acceptances.lost(), this.findings);
		check();
	}

	private void check() {
		assertThat(this.received.get()).isPositive();
		assertThat(this.database.count("(select from chaos_effect group by receptor, stream, number) each_once"))
			.as("no effect is missing")
			.isEqualTo(2 * this.received.get());
		assertThat(this.database.count("chaos_effect")).as("no effect comes twice").isEqualTo(2 * this.received.get());
		assertThat(disorder("chaos_effect", "place", "receptor, stream")).as("effects are in order").isZero();
		assertThat(this.database.count("whizbang.wh_outbox")).as("each effect has emitted one message")
			.isEqualTo(2 * this.received.get());
		assertThat(disorder("(select seq, topic, stream_key, payload::int as number from whizbang.wh_outbox) o", "seq",
				"topic, stream_key"))
			.as("emitted messages are in order")
			.isZero();
		assertThat(this.database.count("whizbang.wh_dead_letters")).isZero();
		assertThat(this.database.count("whizbang.wh_receptor_processing")).isZero();
		assertThat(this.findings.isEmpty()).as(this.findings::toString).isTrue();
	}

	private int disorder(String table, String place, String group) {
		return this.database
			.count("(select number, lag(number) over (partition by %s order by %s) as before from %s) pairs"
				.formatted(group, place, table) + " where before > number");
	}

	/**
	 * Receives again and again what may not have been received, and now and then more.
	 */
	private void receive(Sessions sessions) {
		JdbcInbox inbox = new JdbcInbox(
				sessions, ChaosDatabase.SCHEMA, new TransactionalStore(sessions,
						new JdbcMessageStore(ChaosDatabase.SCHEMA), Queue.INBOX, true, WorkSignal.NONE),
				InboxSettings.defaults(), WorkListener.NONE, MessageObservations.NONE);
		int next = 0;
		while (this.receiving.get()) {
			List<IncomingMessage> batch = new ArrayList<>();
			for (int n = Math.max(0, next - 5); n < next + 25; n++) {
				batch.add(message(n));
			}
			try {
				inbox.receiveAll(batch);
				next += 25;
				this.received.set(next);
				waitForHandlers(next);
			}
			catch (DataAccessException | TransactionException ex) {
				SqlStates.judge("receive", ex, this.findings);
			}
		}
		// The last batch may have been committed without an answer.
		for (int n = next; n < next + 25; n++) {
			inbox.receive(message(n));
		}
		this.received.set(next + 25);
	}

	private void waitForHandlers(int received) {
		// Not faster than it is handled, so that the end is not far when the fight is
		// over, on a slow machine too.
		if (received % 250 == 0) {
			do {
				pause();
			}
			while (this.receiving.get() && received - handled() > BACKLOG);
		}
	}

	/** Apart from the connection of the test's own thread. */
	private int handled() {
		Integer handled = this.database.database()
			.jdbc()
			.queryForObject("select count(distinct (stream, number)) from chaos_effect", Integer.class);
		return (handled != null) ? handled : 0;
	}

	private static IncomingMessage message(int n) {
		String stream = "s" + n % STREAMS;
		return IncomingMessage.from("chaos", "message-" + n)
			.topic("orders")
			.type("Order")
			.stream(stream)
			.payload("{\"stream\":\"%s\",\"number\":\"%d\"}".formatted(stream, n))
			.build();
	}

	private void attack(Random random, Sessions sessions) {
		InboxInstance victim = this.living.get(random.nextInt(this.living.size()));
		switch (random.nextInt(6)) {
			case 0 -> {
				if (this.living.size() < 4) {
					join(random);
				}
			}
			case 1 -> {
				join(random);
				leave(victim);
			}
			case 2 -> {
				join(random);
				victim.kill(this.database.jdbc());
				leave(victim);
			}
			case 3 -> victim.pause(Duration.ofMillis(500 + random.nextInt(3000)));
			case 4 -> victim.cut(this.database.jdbc());
			default -> sessions.cutOne(this.database.jdbc(), random);
		}
	}

	private void join(Random random) {
		InboxInstance instance = new InboxInstance("inbox-" + random.nextInt(), this.database, this.acceptances,
				this.findings, new Random(random.nextLong()));
		this.living.add(instance);
		instance.join();
	}

	private void leave(InboxInstance instance) {
		this.living.remove(instance);
		Thread thread = new Thread(instance::leave, "chaos-leave");
		thread.start();
		this.leaving.add(thread);
	}

	private static void pause() {
		try {
			TimeUnit.MILLISECONDS.sleep(200);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static void join(Thread thread) {
		try {
			thread.join(20_000);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
