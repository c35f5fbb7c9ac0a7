package io.whizbang.benchmarks.peer;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.whizbang.benchmarks.Payload;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.modulith.events.EventPublication;
import org.springframework.modulith.events.IncompleteEventPublications;

/**
 * Spring Modulith's event publication registry with JDBC. It has no worker: the
 * transaction's process calls the listener, and a backlog waits until the application
 * submits it again, which is its drain here.
 */
final class ModulithPeer implements Peer {

	private static final String LISTENER = "orders";

	private static final Map<String, String> ALWAYS = Map
		.of("spring.modulith.events.jdbc.schema-initialization.enabled", "true");

	private static final Map<String, String> TUNED = Map.of("spring.modulith.events.jdbc.schema-initialization.enabled",
			"true", "spring.modulith.events.completion-mode", "delete", "spring.task.execution.pool.core-size", "16");

	private final Profile profile;

	private final ConfigurableApplicationContext context;

	private final JdbcTemplate jdbc;

	private final JsonMapper mapper;

	private final Sink sink;

	ModulithPeer(String url, Profile profile) {
		this.profile = profile;
		this.context = SpringContext.start(Application.class, "org.springframework.modulith.", url,
				(profile == Profile.TUNED) ? TUNED : ALWAYS);
		this.jdbc = new JdbcTemplate(dataSource());
		this.mapper = this.context.getBean(JsonMapper.class);
		this.sink = this.context.getBean(Sink.class);
	}

	@Override
	public String name() {
		return "modulith";
	}

	@Override
	public String version() {
		return Versions.of(EventPublication.class);
	}

	@Override
	public String settings() {
		return ((this.profile == Profile.TUNED) ? "completion mode delete, 16 threads"
				: "defaults (completion mode update)") + "; a backlog is drained by resubmitIncompletePublications";
	}

	@Override
	public boolean keepsOrder() {
		return false;
	}

	@Override
	public List<String> tables() {
		return List.of("event_publication");
	}

	@Override
	public DataSource dataSource() {
		return this.context.getBean(DataSource.class);
	}

	@Override
	public void enqueue(String stream, Payload payload) {
		this.context.publishEvent(payload);
	}

	/**
	 * Writes the rows itself: what is published is delivered at once, so that its own way
	 * leaves no backlog.
	 */
	@Override
	public void load(List<Payload> payloads) {
		Timestamp now = Timestamp.from(Instant.now());
		this.jdbc.batchUpdate("""
				insert into event_publication (id, event_type, listener_id, publication_date, serialized_event, status,
				    completion_attempts, last_resubmission_date)
				values (?, ?, ?, ?, ?, 'PUBLISHED', 1, ?)""",
				payloads.stream()
					.map((payload) -> new Object[] { UUID.randomUUID(), Payload.class.getName(), LISTENER, now,
							this.mapper.writeValueAsString(payload), now })
					.toList());
	}

	@Override
	public void start(Consumer<Payload> delivered) {
		this.sink.open(delivered);
		Boolean waiting = this.jdbc.queryForObject("select exists (select from event_publication)", Boolean.class);
		if (Boolean.TRUE.equals(waiting)) {
			Thread thread = new Thread(this::resubmit, "modulith-resubmit");
			thread.setDaemon(true);
			thread.start();
		}
	}

	private void resubmit() {
		this.context.getBean(IncompleteEventPublications.class)
			.resubmitIncompletePublications((publication) -> this.sink.isOpen());
	}

	@Override
	public void stop() {
		this.sink.close();
	}

	@Override
	public void close() {
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
		OrdersListener ordersListener(Sink sink) {
			return new OrdersListener(sink);
		}

	}

	/** What is called for each event. */
	static class OrdersListener {

		private final Sink sink;

		OrdersListener(Sink sink) {
			this.sink = sink;
		}

		@ApplicationModuleListener(id = LISTENER)
		void on(Payload payload) {
			this.sink.accept(payload);
		}

	}

}
