package io.whizbang.sample;

import java.util.List;
import java.util.stream.IntStream;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pictures are resized by a work queue, over two instances of the shop.
 */
@PostgresTest
class PictureTests {

	private static RunningShop one;

	private static RunningShop other;

	private final PostgresDatabase database;

	PictureTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeAll
	static void openTwoShops(PostgresDatabase database) {
		one = new RunningShop(database);
		other = new RunningShop(database);
	}

	@AfterAll
	static void closeThem() {
		other.close();
		one.close();
	}

	@Test
	void resizesThePicturesOfACustomerInTheOrderOfTheirUpload() {
		List<String> names = IntStream.range(0, 10).mapToObj("cat-%d"::formatted).toList();
		for (String name : names) {
			upload(one, "c-1", name, 4000, 3000).expectStatus().isAccepted();
			upload(other, "c-2", name, 100, 50).expectStatus().isAccepted();
		}
		for (String customer : List.of("c-1", "c-2")) {
			Await.untilAsserted(() -> other.get("/customers/" + customer + "/pictures")
				.expectBody()
				.jsonPath("$[?(@.place != null)].name")
				.value(Object.class, (resized) -> assertThat(resized).isEqualTo(names)));
		}
		assertThat(sizes("c-1")).containsExactly("200x150");
		assertThat(sizes("c-2")).containsExactly("100x50");
	}

	@Test
	void takesPicturesWhileTheQueueIsPaused() {
		one.post("/actuator/whizbangqueues/pictures/pause").expectStatus().isOk();
		upload(other, "c-3", "dog", 400, 400).expectStatus().isAccepted();
		one.get("/actuator/whizbangqueues/pictures")
			.expectBody()
			.jsonPath("$.queues[0].paused")
			.isEqualTo(true)
			.jsonPath("$.queues[0].messages")
			.isEqualTo(1);
		other.post("/actuator/whizbangqueues/pictures/resume").expectStatus().isOk();
		Await.untilAsserted(
				() -> one.get("/customers/c-3/pictures").expectBody().jsonPath("$[0].thumbnailWidth").isEqualTo(200));
	}

	@Test
	void refusesWhatIsNoPicture() {
		upload(one, "c-4", "flat", 10, 0).expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo("height must be greater than or equal to 1");
		one.get("/customers/c-4/pictures").expectBody().jsonPath("$.length()").isEqualTo(0);
	}

	private static RestTestClient.ResponseSpec upload(RunningShop shop, String customer, String name, int width,
			int height) {
		return shop.post("/customers/%s/pictures?name=%s&width=%d&height=%d".formatted(customer, name, width, height));
	}

	private List<String> sizes(String customer) {
		return this.database.jdbc().queryForList("""
				select distinct thumbnail_width || 'x' || thumbnail_height from picture
				where customer_id = ?""", String.class, customer);
	}

}
