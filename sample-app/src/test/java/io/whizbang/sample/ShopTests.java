package io.whizbang.sample;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.whizbang.transport.kafka.KafkaReceivers;
import io.whizbang.transport.rabbit.RabbitReceiver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.StatusAssertions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The story of the shop, told from outside: it is started as a user would, and nothing
 * but HTTP is used.
 */
class ShopTests {

	private static final String ORDER = """
			{"customerId":"c-1","items":[{"sku":"book","quantity":2,"price":10.0},{"sku":"pen","quantity":1,"price":1.5}]}""";

	private static ServletWebServerApplicationContext shop;

	private final RestTestClient client = RestTestClient.bindToServer()
		.baseUrl("http://localhost:" + shop.getWebServer().getPort())
		.build();

	@BeforeAll
	static void openTheShop() {
		shop = (ServletWebServerApplicationContext) SpringApplication.run(ShopApplication.class, "--server.port=0",
				"--shop.database.port=0", "--whizbang.inbox.retry.first-delay=20ms");
	}

	@AfterAll
	static void closeTheShop() {
		shop.close();
	}

	@Test
	void confirmsWhatIsOrdered() {
		URI order = place(ORDER);
		await().untilAsserted(() -> this.client.get()
			.uri(order)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo("CONFIRMED")
			.jsonPath("$.confirmedBy")
			.isNotEmpty()
			.jsonPath("$.total")
			.isEqualTo(21.5)
			.jsonPath("$.lines[*].sku")
			.isEqualTo(List.of("book", "pen")));
	}

	@Test
	void hasAnOrderPaidAfterFailures() {
		awaitOrder(place(order("flaky", "10")), "CONFIRMED", "RECEIVED", 4);
	}

	@Test
	void declinesAnOrderThatCannotBePaid() {
		awaitOrder(place(order("yacht", "1000.01")), "DECLINED", "DECLINED", 1);
	}

	@Test
	void hasAPoisonousOrderPaidWhenItIsReplayedAfterTheRepair() {
		URI order = place(order("poison", "10"));
		awaitOrder(order, "PLACED", "WAITING", 5);
		await().untilAsserted(() -> deadLetters().jsonPath("$.letters.length()")
			.isEqualTo(1)
			.jsonPath("$.letters[0].error")
			.value((error) -> assertThat((String) error).contains("The card network answers in tongues")));

		this.client.post().uri("/payments/repair").exchange().expectStatus().isNoContent();
		this.client.post()
			.uri("/actuator/whizbangdeadletters")
			.contentType(MediaType.APPLICATION_JSON)
			.body("{\"reason\":\"max-attempts\",\"topic\":\"orders\"}")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.count")
			.isEqualTo(1);
		awaitOrder(order, "CONFIRMED", "RECEIVED", 6);
		deadLetters().jsonPath("$.letters.length()").isEqualTo(0);
		this.client.delete().uri("/payments/repair").exchange().expectStatus().isNoContent();
	}

	private RestTestClient.BodyContentSpec deadLetters() {
		return this.client.get()
			.uri("/actuator/whizbangdeadletters?topic=orders")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody();
	}

	@Test
	void answersWithTheOrderAndItsAddress() {
		this.client.post()
			.uri("/orders")
			.contentType(MediaType.APPLICATION_JSON)
			.body(ORDER)
			.exchange()
			.expectStatus()
			.isCreated()
			.expectHeader()
			.value("Location", (location) -> assertThat(location).matches("/orders/[0-9a-f-]{36}"))
			.expectBody()
			.jsonPath("$.id")
			.isNotEmpty()
			.jsonPath("$.status")
			.isEqualTo("PLACED");
	}

	@Test
	void placesABurstOfOrders() {
		burst("{\"count\":250,\"order\":%s}".formatted(ORDER)).isOk().expectBody().jsonPath("$.placed").isEqualTo(250);
		await().untilAsserted(() -> this.client.get()
			.uri("/board")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(JsonNode.class)
			.value((board) -> assertThat(
					board.get("tiles").valueStream().limit(250).map((tile) -> tile.get("state").stringValue()))
				.hasSize(250)
				.containsOnly("CONFIRMED")));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{"count":0,"order":%s}                            | count must be greater than or equal to 1
			{"count":1001,"order":%s}                         | count must be less than or equal to 1000
			{"order":%s}                                      | count must not be null
			{"count":1}                                       | order must not be null
			{"count":1,"order":{"customerId":"c","items":[]}} | order.items must not be empty
			""")
	void refusesAnInvalidBurstAndSaysWhy(String body, String reason) {
		burst(body.replace("%s", ORDER)).isBadRequest().expectBody().jsonPath("$.detail").isEqualTo(reason);
	}

	private StatusAssertions burst(String body) {
		return this.client.post()
			.uri("/orders/burst")
			.contentType(MediaType.APPLICATION_JSON)
			.body(body)
			.exchange()
			.expectStatus();
	}

	@Test
	void listsTheNewestOrdersFirst() {
		place(ORDER);
		String newest = place(ORDER).getPath().substring("/orders/".length());
		this.client.get()
			.uri("/orders?limit=2")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.length()")
			.isEqualTo(2)
			.jsonPath("$[0].id")
			.isEqualTo(newest);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					{"items":[{"sku":"book","quantity":1,"price":10.0}]}                                      | customerId must not be blank
					{"customerId":"c-1"}                                                                      | items must not be empty
					{"customerId":"c-1","items":[{"sku":"book","quantity":0,"price":10.0}]}                   | items[0].quantity must be greater than 0
					{"customerId":"c-1","items":[{"sku":"book","quantity":1}]}                                | items[0].price must not be null
					{"customerId":"c\\u0000","items":[{"sku":"book","quantity":1,"price":10.0}]}              | customerId must not contain control characters
					""")
	void refusesAnInvalidOrderAndSaysWhy(String body, String reason) {
		this.client.post()
			.uri("/orders")
			.contentType(MediaType.APPLICATION_JSON)
			.body(body)
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo(reason);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{"customerId":
			[]
			{"customerId":"c-1","items":[{"sku":"book","quantity":1.5,"price":10.0}]}
			""")
	void refusesWhatIsNoOrderAndShowsOne(String body) {
		this.client.post()
			.uri("/orders")
			.contentType(MediaType.APPLICATION_JSON)
			.body(body)
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.detail")
			.value((detail) -> assertThat((String) detail).contains("it looks like {\"customerId\""));
	}

	@Test
	void knowsNothingOfOrdersThatNobodyPlaced() {
		UUID id = UUID.randomUUID();
		this.client.get()
			.uri("/orders/" + id)
			.exchange()
			.expectStatus()
			.isNotFound()
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo("There is no order " + id);
	}

	@Test
	void showsWhizbangInHealth() {
		this.client.get()
			.uri("/actuator/health")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.components.whizbang.status")
			.isEqualTo("UP")
			.jsonPath("$.components.whizbang.components.inbox.status")
			.isEqualTo("UP");
	}

	@Test
	void missesNoBroker() {
		this.client.get()
			.uri("/actuator/health")
			.exchange()
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo("UP")
			.jsonPath("$.components.rabbit")
			.doesNotExist()
			.jsonPath("$.components.whizbang.components.transports.components.length()")
			.isEqualTo(1)
			.jsonPath("$.components.whizbang.components.transports.components.inbox.status")
			.isEqualTo("UP");
		assertThat(shop.getBeansOfType(RabbitReceiver.class)).isEmpty();
		assertThat(shop.getBeansOfType(KafkaReceivers.class)).isEmpty();
	}

	@Test
	void measuresWhatWhizbangDoes() {
		place(ORDER);
		this.client.get()
			.uri("/actuator/metrics")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(Map.class)
			.value((metrics) -> assertThat(metrics.get("names").toString()).contains("whizbang."));
	}

	private static String order(String sku, String price) {
		return "{\"customerId\":\"c-1\",\"items\":[{\"sku\":\"%s\",\"quantity\":1,\"price\":%s}]}".formatted(sku,
				price);
	}

	private void awaitOrder(URI order, String status, String payment, int attempts) {
		await().untilAsserted(() -> this.client.get()
			.uri(order)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo(status)
			.jsonPath("$.payment.status")
			.isEqualTo(payment)
			.jsonPath("$.payment.attempts")
			.isEqualTo(attempts));
	}

	private URI place(String order) {
		return this.client.post()
			.uri("/orders")
			.contentType(MediaType.APPLICATION_JSON)
			.body(order)
			.exchange()
			.expectStatus()
			.isCreated()
			.returnResult(Void.class)
			.getResponseHeaders()
			.getLocation();
	}

}
