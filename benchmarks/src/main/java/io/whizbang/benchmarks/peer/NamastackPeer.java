package io.whizbang.benchmarks.peer;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.namastack.outbox.Outbox;
import io.namastack.outbox.OutboxProcessingScheduler;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import io.whizbang.benchmarks.Payload;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Namastack's outbox with its JDBC starter. Tuned, it has the platform-thread candidate
 * of its {@code performance-tuning.md}, and rows are deleted, as in its own test of that
 * release.
 */
final class NamastackPeer implements Peer {

	private static final Map<String, String> TUNED = Map.of("namastack.outbox.polling.batch-size", "1000",
			"namastack.outbox.polling.fixed.interval", "25ms", "namastack.outbox.processing.executor-core-pool-size",
			"16", "namastack.outbox.processing.executor-max-pool-size", "32",
			"namastack.outbox.processing.delete-completed-records", "true",
			"namastack.outbox.instance.heartbeat-interval", "1s", "namastack.outbox.instance.stale-instance-timeout",
			"10s", "namastack.outbox.instance.rebalance-interval", "1s");

	private final Profile profile;

	private final ConfigurableApplicationContext context;

	private final Outbox outbox;

	private final OutboxProcessingScheduler scheduler;

	private final Sink sink;

	private final TransactionTemplate transactions;

	NamastackPeer(String url, Profile profile) {
		this.profile = profile;
		this.context = SpringContext.start(Application.class, "io.namastack.", url,
				(profile == Profile.TUNED) ? TUNED : Map.of());
		this.outbox = this.context.getBean(Outbox.class);
		this.scheduler = this.context.getBean(OutboxProcessingScheduler.class);
		this.scheduler.stop();
		this.sink = this.context.getBean(Sink.class);
		this.transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource()));
	}

	@Override
	public String name() {
		return "namastack";
	}

	@Override
	public String version() {
		return Versions.of(Outbox.class);
	}

	@Override
	public String settings() {
		return (this.profile == Profile.TUNED)
				? "batch 1000, poll 25 ms, 16 to 32 threads, heartbeat 1 s, rebalance 1 s (performance-tuning.md, "
						+ "platform-thread candidate), completed records deleted (as its own performance test)"
				: "defaults (batch 10, poll 2 s)";
	}

	@Override
	public boolean keepsOrder() {
		return true;
	}

	@Override
	public List<String> tables() {
		return List.of("outbox_record");
	}

	@Override
	public DataSource dataSource() {
		return this.context.getBean(DataSource.class);
	}

	@Override
	public void enqueue(String stream, Payload payload) {
		this.outbox.schedule(payload, stream);
	}

	@Override
	public void load(List<Payload> payloads) {
		this.transactions.executeWithoutResult(
				(status) -> payloads.forEach((payload) -> this.outbox.schedule(payload, payload.stream())));
	}

	@Override
	public void start(Consumer<Payload> delivered) {
		this.sink.open(delivered);
		this.scheduler.start();
	}

	@Override
	public void stop() {
		this.scheduler.stop();
		this.sink.close();
	}

	@Override
	public void close() {
		stop();
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
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

	/** What is called for each record. */
	static class OrdersHandler implements OutboxTypedHandler<Payload> {

		private final Sink sink;

		OrdersHandler(Sink sink) {
			this.sink = sink;
		}

		@Override
		public void handle(Payload payload, OutboxRecordMetadata metadata) {
			this.sink.accept(payload);
		}

	}

}
