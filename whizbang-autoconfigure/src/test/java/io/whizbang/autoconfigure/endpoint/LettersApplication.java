package io.whizbang.autoconfigure.endpoint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.whizbang.autoconfigure.Unsecured;
import io.whizbang.autoconfigure.endpoint.HttpCalls.Answer;
import io.whizbang.letter.DeadLetters;
import io.whizbang.letter.RawLetter;
import io.whizbang.message.Envelope;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxHandler;
import io.whizbang.outbox.OutboxMessage;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.work.PermanentFailureException;
import io.whizbang.work.Queue;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * An application with a web server, as users start it, whose messages die when a test
 * says so.
 */
public final class LettersApplication implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private final HttpCalls http;

	private final JdbcTemplate jdbc;

	/**
	 * Starts the application, with no letters.
	 * @param database its database
	 * @param properties more properties
	 */
	public LettersApplication(PostgresDatabase database, String... properties) {
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.bannerMode(Banner.Mode.OFF)
			.properties(Unsecured.PROPERTY, "server.port=0", "spring.datasource.url=" + database.jdbcUrl(),
					"spring.datasource.username=postgres", "spring.jpa.open-in-view=false",
					"spring.liquibase.enabled=false", "spring.flyway.enabled=false",
					"management.endpoints.web.exposure.include=whizbangdeadletters,whizbangdeadletteraudit")
			.properties(properties)
			.run();
		this.http = new HttpCalls(this.context);
		this.jdbc = database.jdbc();
		forget();
	}

	/** Goes on with no letters. */
	void forget() {
		this.jdbc.execute("truncate whizbang.wh_dead_letters, whizbang.wh_dead_letter_audit");
		this.context.getBean(Application.class).delivered.clear();
		this.context.getBean(Application.class).doomed.clear();
	}

	/**
	 * Has a message of stream "A" die.
	 * @param payload the message
	 * @param number the number that its letter gets
	 */
	public void die(String payload, long number) {
		String json = '"' + payload + '"';
		doom(payload);
		this.context.getBean(Outbox.class)
			.enqueue(OutboxMessage.to("orders", payload).stream("A").header("tenant", "north").build());
		Await.until("the letter of " + payload, () -> renumber("payload = ?", json, number));
		this.context.getBean(Application.class).doomed.remove(json);
	}

	/** Has a message die the next time that it is tried. */
	void doom(String payload) {
		this.context.getBean(Application.class).doomed.add('"' + payload + '"');
	}

	/**
	 * Records what never was a message.
	 * @param raw what came
	 * @param number the number that the letter gets
	 */
	public void record(String raw, long number) {
		long id = this.context.getBean(DeadLetters.class)
			.record(RawLetter.of(Queue.OUTBOX, "kafka:orders", RawLetter.MALFORMED,
					new IllegalArgumentException("not JSON"), raw.getBytes(StandardCharsets.UTF_8), Map.of()));
		renumber("dead_letter_id = ?", id, number);
	}

	private boolean renumber(String which, Object value, long number) {
		return this.jdbc.update("""
				with gone as (delete from whizbang.wh_dead_letters where %s returning *)
				insert into whizbang.wh_dead_letters overriding system value
				select ?, queue, reason, attempts, died_at, created_at, seq, message_id, stream_id, stream_key, topic,
				    message_type, headers, payload, error, instance_id, source, raw
				from gone""".formatted(which), value, number) == 1;
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	List<String> delivered() {
		return this.context.getBean(Application.class).delivered;
	}

	Answer get(String path) {
		return send("GET", path, Map.of(), "");
	}

	Answer post(String path, String json) {
		return send("POST", path, Map.of("Content-Type", "application/json"), json);
	}

	Answer delete(String path) {
		return send("DELETE", path, Map.of(), "");
	}

	/**
	 * Sends a request.
	 * @param method the method
	 * @param path what follows host and port
	 * @param headers the headers
	 * @param body the body, or nothing
	 * @return the answer
	 */
	public Answer send(String method, String path, Map<String, String> headers, String body) {
		return this.http.send(method, path, headers, body);
	}

	@Override
	public void close() {
		this.context.close();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		final Set<String> doomed = ConcurrentHashMap.newKeySet();

		final List<String> delivered = new CopyOnWriteArrayList<>();

		@OutboxHandler(topic = "orders")
		void take(Envelope envelope) {
			if (this.doomed.contains(envelope.payload())) {
				throw new PermanentFailureException("no hope for " + envelope.payload());
			}
			this.delivered.add(envelope.payload());
		}

		/** Somebody is logged in who says so in a header. */
		@Bean
		static OncePerRequestFilter login() {
			return new OncePerRequestFilter() {
				@Override
				protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response,
						FilterChain chain) throws ServletException, IOException {
					String user = request.getHeader("Test-User");
					chain.doFilter((user == null) ? request : new HttpServletRequestWrapper(request) {
						@Override
						public Principal getUserPrincipal() {
							return () -> user;
						}
					}, response);
				}
			};
		}

	}

}
