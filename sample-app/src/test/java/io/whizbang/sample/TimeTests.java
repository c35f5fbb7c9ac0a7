package io.whizbang.sample;

import java.net.URI;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the shop does because its time has come, over two instances of it.
 */
@PostgresTest
class TimeTests {

	private static RunningShop one;

	private static RunningShop other;

	private final PostgresDatabase database;

	TimeTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeAll
	static void openTwoShops(PostgresDatabase database) {
		one = open(database);
		other = open(database);
	}

	private static RunningShop open(PostgresDatabase database) {
		return new RunningShop(database, "shop.payment-patience=3s");
	}

	@AfterAll
	static void closeThem() {
		other.close();
		one.close();
	}

	@Test
	void cancelsWhatIsNotPaidInTimeOnce() {
		URI unpaid = one.place("poison", "10");
		Await.untilAsserted(() -> other.get(unpaid).expectBody().jsonPath("$.status").isEqualTo("CANCELLED"));
		assertThat(this.database.jdbc().queryForList("""
				select event_type from whizbang.wh_events
				where '/orders/' || stream_id = ? order by version""", String.class, unpaid.getPath()))
			.containsExactly("order-placed", "order-expired");
		one.delete(unpaid).expectStatus().isEqualTo(409);
	}

	@Test
	void waitsNoLongerForWhatIsPaid() {
		URI paid = other.place("book", "10");
		one.awaitConfirmation(paid, 1);
		one.get("/actuator/whizbangtimers?key=payment-overdue:" + paid.getPath().substring("/orders/".length()))
			.expectStatus()
			.isNotFound();
	}

	@Test
	void reportsWhatWasSold() {
		other.awaitConfirmation(one.place("book", "10"), 1);
		Await.untilAsserted(() -> one.get("/sales")
			.expectBody()
			.jsonPath("$[0].orders")
			.value(int.class, (orders) -> assertThat(orders).isPositive()));
		one.get("/actuator/whizbangjobs/nightly-report").expectStatus().isOk();
		one.post("/actuator/whizbangjobs/nightly-report/trigger").expectStatus().is2xxSuccessful();
		Await.untilAsserted(() -> other.get("/sales/reports")
			.expectBody()
			.jsonPath("$[0].orders")
			.value(int.class, (orders) -> assertThat(orders).isPositive()));
	}

}
