package io.whizbang.sample;

import java.net.URI;
import java.util.List;
import java.util.UUID;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the page of the shop is told.
 */
@PostgresTest
class BoardTests {

	private static final int ORDERS = 200;

	@Test
	void showsWhichInstanceDidWhat(PostgresDatabase database) {
		try (RunningShop left = new RunningShop(database, "shop.instance=left");
				RunningShop right = new RunningShop(database, "shop.instance=right")) {
			left.burst(ORDERS, "book");
			Await.untilAsserted(() -> assertThat(tiles(right, "state")).hasSize(ORDERS).containsOnly("CONFIRMED"));

			JsonNode board = board(right);
			assertThat(board.get("here").stringValue()).isEqualTo("right");
			assertThat(board.get("orders").size()).isEqualTo(30);
			assertThat(tiles(right, "placedBy")).containsOnly("left");
			assertThat(tiles(right, "paidBy")).contains("left", "right");
			assertThat(tiles(right, "confirmedBy")).contains("left", "right");
		}
	}

	@Test
	void showsAttemptsAndWhatIsDead(PostgresDatabase database) {
		try (RunningShop shop = new RunningShop(database, "shop.instance=only")) {
			UUID order = id(shop.place("poison", "13.0"));
			Await.untilAsserted(() -> assertThat(order(shop, order).get("state").stringValue()).isEqualTo("DEAD"));
			JsonNode dead = order(shop, order);
			assertThat(dead.get("attempts").intValue()).isEqualTo(5);
			assertThat(dead.get("triedBy").stringValue()).isEqualTo("only");
			assertThat(dead.get("paidBy").isNull()).isTrue();
			assertThat(dead.get("articles").stringValue()).isEqualTo("1 × poison");

			shop.post("/payments/repair").expectStatus().isNoContent();
			shop.get("/payments/repair").expectBody().jsonPath("$.repaired").isEqualTo(true);
			shop.post("/actuator/whizbangdeadletters/" + dead.get("letter").longValue()).expectStatus().isOk();
			Await.untilAsserted(() -> assertThat(order(shop, order).get("state").stringValue()).isEqualTo("CONFIRMED"));
			assertThat(order(shop, order).get("letter").isNull()).isTrue();
		}
	}

	private static JsonNode order(RunningShop shop, UUID id) {
		return board(shop).get("orders")
			.valueStream()
			.filter((order) -> order.get("id").stringValue().equals(id.toString()))
			.findFirst()
			.orElseThrow();
	}

	private static List<String> tiles(RunningShop shop, String field) {
		return board(shop).get("tiles").valueStream().map((tile) -> tile.get(field).asString()).toList();
	}

	private static JsonNode board(RunningShop shop) {
		JsonNode board = shop.get("/board").expectBody(JsonNode.class).returnResult().getResponseBody();
		assertThat(board).isNotNull();
		return board;
	}

	private static UUID id(URI order) {
		return UUID.fromString(order.getPath().substring("/orders/".length()));
	}

}
