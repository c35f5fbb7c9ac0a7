package io.whizbang.docs.sample;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.whizbang.autoconfigure.Unsecured;
import io.whizbang.autoconfigure.endpoint.HttpCalls;
import io.whizbang.autoconfigure.endpoint.HttpCalls.Answer;
import io.whizbang.event.EventStore;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.message.StreamId;
import io.whizbang.perspective.Perspectives;
import io.whizbang.test.PostgresDatabase;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An application with a web server and the perspectives of the documentation. Its
 * accounts cannot have more than a hundred, which their events do not know.
 */
public final class AccountsApplication implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private final HttpCalls http;

	private final JdbcTemplate jdbc;

	public AccountsApplication(PostgresDatabase database) {
		this.jdbc = database.jdbc();
		this.jdbc.execute("""
				create table account_row (account text primary key, owner text,
				    balance numeric not null constraint not_more_than_a_hundred check (balance <= 100))""");
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.bannerMode(Banner.Mode.OFF)
			.properties(Unsecured.PROPERTY)
			.properties("server.port=0", "spring.datasource.url=" + database.jdbcUrl(),
					"spring.datasource.username=" + database.server().username(),
					"spring.datasource.password=" + database.server().password(), "spring.jpa.open-in-view=false",
					"spring.liquibase.enabled=false", "spring.flyway.enabled=false",
					"whizbang.perspectives.retry.max-attempts=1",
					"management.endpoints.web.exposure.include=whizbangperspectives")
			.run();
		this.http = new HttpCalls(this.context);
	}

	/**
	 * Opens an account and moves money.
	 * @param account the account
	 * @param amounts how much, one after the other
	 */
	public void open(String account, int... amounts) {
		EventStore events = this.context.getBean(EventStore.class);
		List<Object> all = Stream
			.concat(Stream.of(new AccountOpened("ada")),
					Arrays.stream(amounts).mapToObj((amount) -> new MoneyMoved(BigDecimal.valueOf(amount), "EUR")))
			.map(Object.class::cast)
			.toList();
		events.append(StreamId.of(account), ExpectedVersion.none(), all);
	}

	public Map<String, Object> account(String account) {
		return this.jdbc.queryForMap("select owner, balance::int from account_row where account = ?", account);
	}

	/**
	 * Adds up what was moved, in the run that serves.
	 * @return the sum over all days
	 */
	public int turnover() {
		String table = this.context.getBean(Perspectives.class).serving("turnover-per-day").table("turnover_per_day");
		Integer sum = this.jdbc.queryForObject("select sum(amount)::int from " + table, Integer.class);
		return (sum != null) ? sum : 0;
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
	@Import({ AccountList.class, TurnoverPerDay.class })
	static class Application {

	}

}
