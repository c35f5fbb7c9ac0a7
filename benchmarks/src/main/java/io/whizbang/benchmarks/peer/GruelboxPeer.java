package io.whizbang.benchmarks.peer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import javax.sql.DataSource;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.SpringInstantiator;
import com.gruelbox.transactionoutbox.SpringTransactionManager;
import com.gruelbox.transactionoutbox.SpringTransactionOutboxConfiguration;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import io.whizbang.benchmarks.Payload;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Gruelbox' transaction outbox with its Spring module, and the thread that flushes what
 * waits, which the application has to bring. It has no settings for throughput but its
 * executor and the size of a flush.
 */
final class GruelboxPeer implements Peer {

	private static final int TUNED_THREADS = 16;

	/** It refuses what is due at once. */
	private static final Duration SOON = Duration.ofSeconds(1);

	private final Profile profile;

	private final ConfigurableApplicationContext context;

	private final TransactionTemplate transactions;

	private final Sink sink;

	private final TransactionOutbox outbox;

	/** What is stored with it is due soon, as a backlog is. */
	private final TransactionOutbox loader;

	private @Nullable ExecutorService executor;

	private @Nullable Thread flusher;

	GruelboxPeer(String url, Profile profile) {
		this.profile = profile;
		this.context = SpringContext.start(Application.class, "com.gruelbox.", url, Map.of());
		this.sink = this.context.getBean(Sink.class);
		this.transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource()));
		this.outbox = builder().submitter((entry, local) -> {
			ExecutorService threads = this.executor;
			if (threads != null) {
				threads.execute(() -> local.accept(entry));
			}
		}).build();
		this.loader = builder().submitter(nobody()).attemptFrequency(SOON).build();
	}

	private TransactionOutbox.TransactionOutboxBuilder builder() {
		return TransactionOutbox.builder()
			.transactionManager(this.context.getBean(SpringTransactionManager.class))
			.instantiator(this.context.getBean(SpringInstantiator.class))
			.persistor(Persistor.forDialect(Dialect.POSTGRESQL_9));
	}

	private static Submitter nobody() {
		return (entry, local) -> {
		};
	}

	@Override
	public String name() {
		return "gruelbox";
	}

	@Override
	public String version() {
		return Versions.of(TransactionOutbox.class);
	}

	@Override
	public String settings() {
		return "flush of 4096 (default) every 100 ms while there is nothing; "
				+ ((this.profile == Profile.TUNED) ? TUNED_THREADS + " threads" : "the README's default executor size")
				+ "; unordered, this release knows no topics";
	}

	@Override
	public boolean keepsOrder() {
		return false;
	}

	@Override
	public List<String> tables() {
		return List.of("txno_outbox");
	}

	@Override
	public DataSource dataSource() {
		return this.context.getBean(DataSource.class);
	}

	@Override
	public void enqueue(String stream, Payload payload) {
		schedule(this.outbox, payload);
	}

	@Override
	public void load(List<Payload> payloads) {
		this.transactions
			.executeWithoutResult((status) -> payloads.forEach((payload) -> schedule(this.loader, payload)));
	}

	@Override
	public void loaded() {
		LockSupport.parkNanos(SOON.toNanos());
	}

	private static void schedule(TransactionOutbox outbox, Payload payload) {
		outbox.schedule(OrdersHandler.class)
			.handle(payload.number(), payload.stream(), payload.enqueuedNanos(), payload.text());
	}

	@Override
	public void start(Consumer<Payload> delivered) {
		this.sink.open(delivered);
		this.executor = Executors.newFixedThreadPool(
				(this.profile == Profile.TUNED) ? TUNED_THREADS : Runtime.getRuntime().availableProcessors());
		Thread thread = new Thread(this::flush, "gruelbox-flush");
		this.flusher = thread;
		thread.start();
	}

	private void flush() {
		while (!Thread.currentThread().isInterrupted() && this.sink.isOpen()) {
			if (!this.outbox.flush()) {
				LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
			}
		}
	}

	@Override
	public void stop() {
		this.sink.close();
		ExecutorService threads = this.executor;
		this.executor = null;
		if (threads != null) {
			threads.shutdownNow();
		}
		Thread flushing = this.flusher;
		if (flushing != null) {
			try {
				flushing.join();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public void close() {
		stop();
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(SpringTransactionOutboxConfiguration.class)
	static class Application {

		@Bean
		Sink sink() {
			return new Sink();
		}

		@Bean
		OrdersHandler ordersHandler(Sink sink) {
			return new OrdersHandler(sink);
		}

	}

	/** What is called for each entry. */
	public static class OrdersHandler {

		private final Sink sink;

		OrdersHandler(Sink sink) {
			this.sink = sink;
		}

		public void handle(int number, String stream, long enqueuedNanos, String text) {
			this.sink.accept(new Payload(number, stream, enqueuedNanos, text));
		}

	}

}
