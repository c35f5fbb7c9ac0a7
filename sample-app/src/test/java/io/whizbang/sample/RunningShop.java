package io.whizbang.sample;

import java.net.URI;
import java.util.List;
import java.util.stream.Stream;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An instance of the shop on a database that others may share.
 */
public final class RunningShop implements AutoCloseable {

	private final ServletWebServerApplicationContext context;

	private final RestTestClient client;

	public RunningShop(PostgresDatabase database, String... properties) {
		Stream<String> own = Stream.of("server.port=0", "spring.datasource.url=" + database.jdbcUrl(),
				"spring.datasource.username=" + database.server().username(),
				"spring.datasource.password=" + database.server().password(), "whizbang.inbox.retry.first-delay=20ms");
		this.context = (ServletWebServerApplicationContext) new SpringApplicationBuilder(ShopApplication.class)
			.run(Stream.concat(own, Stream.of(properties)).map("--"::concat).toArray(String[]::new));
		this.client = RestTestClient.bindToServer().baseUrl(address()).build();
	}

	public String address() {
		return "http://localhost:" + this.context.getWebServer().getPort();
	}

	public URI place(String sku, String price) {
		return order("{\"sku\":\"%s\",\"quantity\":1,\"price\":%s}".formatted(sku, price));
	}

	public URI order(String items) {
		URI order = this.client.post()
			.uri("/orders")
			.contentType(MediaType.APPLICATION_JSON)
			.body("{\"customerId\":\"c-1\",\"items\":[%s]}".formatted(items))
			.exchange()
			.expectStatus()
			.isCreated()
			.returnResult(Void.class)
			.getResponseHeaders()
			.getLocation();
		assertThat(order).isNotNull();
		return order;
	}

	/** The same many times. */
	public void burst(int count, String sku) {
		this.client.post()
			.uri("/orders/burst")
			.contentType(MediaType.APPLICATION_JSON)
			.body("""
					{"count":%d,"order":{"customerId":"c-1","items":[{"sku":"%s","quantity":1,"price":10.0}]}}"""
				.formatted(count, sku))
			.exchange()
			.expectStatus()
			.isOk();
	}

	/** How the newest orders stand. */
	public List<String> orders() {
		JsonNode orders = get("/orders?limit=5").expectBody(JsonNode.class).returnResult().getResponseBody();
		assertThat(orders).isNotNull();
		return orders.valueStream().map((order) -> order.get("status").stringValue()).toList();
	}

	public RestTestClient.ResponseSpec get(Object uri) {
		return this.client.get().uri(uri.toString()).exchange();
	}

	public RestTestClient.ResponseSpec post(String uri) {
		return this.client.post().uri(uri).contentType(MediaType.APPLICATION_JSON).exchange();
	}

	public RestTestClient.ResponseSpec delete(URI uri) {
		return this.client.delete().uri(uri).exchange();
	}

	public void awaitConfirmation(URI order, int attempts) {
		Await.untilAsserted(() -> get(order).expectBody()
			.jsonPath("$.status")
			.isEqualTo("CONFIRMED")
			.jsonPath("$.payment.attempts")
			.isEqualTo(attempts));
	}

	@Override
	public void close() {
		this.context.close();
	}

}
