package io.whizbang.benchmarks.peer;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.whizbang.benchmarks.Payload;
import io.whizbang.lease.Leases;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxMessage;
import io.whizbang.outbox.TopicHandler;
import io.whizbang.worker.WorkerLifecycle;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application with Whizbang's starter and not one property set.
 */
final class WhizbangPeer implements Peer {

	static final String SCHEMA = "whizbang";

	private static final String TOPIC = "orders";

	private final ConfigurableApplicationContext context;

	private final Outbox outbox;

	private final Sink sink;

	private final WorkerLifecycle workers;

	WhizbangPeer(String url) {
		this.context = SpringContext.start(Application.class, "io.whizbang.", url, Map.of());
		this.outbox = this.context.getBean(Outbox.class);
		this.sink = this.context.getBean(Sink.class);
		this.workers = this.context.getBean(WorkerLifecycle.class);
		this.workers.stop();
	}

	@Override
	public String name() {
		return "whizbang";
	}

	@Override
	public String version() {
		return Versions.of(Outbox.class);
	}

	@Override
	public String settings() {
		return "defaults";
	}

	@Override
	public boolean keepsOrder() {
		return true;
	}

	@Override
	public List<String> tables() {
		return List.of(SCHEMA + ".wh_outbox", SCHEMA + ".wh_claims");
	}

	@Override
	public DataSource dataSource() {
		return this.context.getBean(DataSource.class);
	}

	Leases leases() {
		return this.context.getBean(Leases.class);
	}

	@Override
	public void enqueue(String stream, Payload payload) {
		this.outbox.enqueue(TOPIC, stream, payload);
	}

	@Override
	public void load(List<Payload> payloads) {
		this.outbox.enqueueAll(payloads.stream()
			.map((payload) -> OutboxMessage.to(TOPIC, payload).stream(payload.stream()).build())
			.toList());
	}

	@Override
	public void start(Consumer<Payload> delivered) {
		this.sink.open(delivered);
		this.workers.start();
	}

	@Override
	public void stop() {
		if (this.workers.isRunning()) {
			this.workers.stop();
		}
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
		TopicHandler<Payload> ordersHandler(Sink sink) {
			return TopicHandler.of(TOPIC, Payload.class, (payload, envelope) -> sink.accept(payload));
		}

	}

}
