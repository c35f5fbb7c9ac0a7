package io.whizbang.sample.broker;

import java.net.URI;
import java.util.List;
import java.util.stream.Stream;

import io.whizbang.sample.ShopApplication;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A shop whose messages go over a broker.
 */
final class BrokerShop implements AutoCloseable {

	private final PostgresDatabase database;

	private final ServletWebServerApplicationContext context;

	private final RestTestClient client;

	BrokerShop(PostgresDatabase database, String profile, String... properties) {
		this.database = database;
		Stream<String> own = Stream.of("server.port=0", "spring.datasource.url=" + database.jdbcUrl(),
				"spring.datasource.username=" + database.server().username(),
				"spring.datasource.password=" + database.server().password(), "whizbang.inbox.retry.first-delay=20ms");
		this.context = (ServletWebServerApplicationContext) new SpringApplicationBuilder(ShopApplication.class)
			.profiles(profile)
			.run(Stream.concat(own, Stream.of(properties)).map("--"::concat).toArray(String[]::new));
		this.client = RestTestClient.bindToServer()
			.baseUrl("http://localhost:" + this.context.getWebServer().getPort())
			.build();
	}

	URI place(String sku) {
		URI order = this.client.post()
			.uri("/orders")
			.contentType(MediaType.APPLICATION_JSON)
			.body("{\"customerId\":\"c-1\",\"items\":[{\"sku\":\"%s\",\"quantity\":1,\"price\":10}]}".formatted(sku))
			.exchange()
			.expectStatus()
			.isCreated()
			.returnResult(Void.class)
			.getResponseHeaders()
			.getLocation();
		assertThat(order).isNotNull();
		return order;
	}

	void awaitConfirmation(URI order, int attempts) {
		Await.untilAsserted(() -> this.client.get()
			.uri(order)
			.exchange()
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo("CONFIRMED")
			.jsonPath("$.payment.attempts")
			.isEqualTo(attempts));
	}

	void isHealthyWith(String transport) {
		this.client.get()
			.uri("/actuator/health")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.components.whizbang.components.transports.components." + transport + ".status")
			.isEqualTo("UP");
	}

	/** Where the inbox has received from. */
	List<String> sources() {
		return this.database.jdbc()
			.queryForList("select distinct source from whizbang.wh_message_deduplication order by 1", String.class);
	}

	@Override
	public void close() {
		this.context.close();
	}

}
