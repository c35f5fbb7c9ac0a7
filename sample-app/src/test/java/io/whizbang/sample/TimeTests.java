package io.whizbang.sample;

import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

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
		return new RunningShop(database, "shop.payment-patience=3s", "shop.statement.jitter=0s",
				"shop.statement.cron=0 0 29 2 *");
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
	void writesEveryCustomerAStatementOfWhatIsNotOnTheLastOne() {
		one.awaitConfirmation(one.place("book", "12.5"), 1);
		one.post("/actuator/whizbangfanouts/statements/run").expectStatus().is2xxSuccessful();
		Await.untilAsserted(() -> other.get("/customers/c-1/statements")
			.expectBody()
			.jsonPath("$[0].orders")
			.value(int.class, (orders) -> assertThat(orders).isPositive()));
		other.post("/actuator/whizbangfanouts/statements/run").expectStatus().is2xxSuccessful();
		Await
			.untilAsserted(() -> one.get("/customers/c-1/statements").expectBody().jsonPath("$.length()").isEqualTo(2));
		assertThat(this.database.jdbc()
			.queryForObject("""
					select s.since = f.until and f.since is null
					from customer_statement s join customer_statement f on f.since is null and s.since is not null""",
					Boolean.class))
			.isTrue();
		Await.untilAsserted(() -> one.get("/statements/nights").expectBody().jsonPath("$.length()").isEqualTo(2));
		other.get("/statements/nights")
			.expectBody()
			.jsonPath("$[0].written")
			.value(int.class, (written) -> assertThat(written).isPositive())
			.jsonPath("$[0].failed")
			.isEqualTo(0);
	}

	@Test
	void reportsWhatWasSold() {
		other.awaitConfirmation(one.place("book", "10"), 1);
		Await.untilAsserted(() -> one.get("/sales")
			.expectBody()
			.jsonPath("$[0].orders")
			.value(int.class, (orders) -> assertThat(orders).isPositive()));
		one.get("/actuator/whizbangjobs/nightly-report")
			.expectBody()
			.jsonPath("$.jobs[0].nextRun")
			.value(String.class, (next) -> assertThat(Instant.parse(next)).isEqualTo(twoInBerlin(next)));
		one.post("/actuator/whizbangjobs/nightly-report/trigger").expectStatus().is2xxSuccessful();
		Await.untilAsserted(() -> other.get("/sales/reports")
			.expectBody()
			.jsonPath("$[0].orders")
			.value(int.class, (orders) -> assertThat(orders).isPositive()));
	}

	private static Instant twoInBerlin(String time) {
		ZoneId berlin = ZoneId.of("Europe/Berlin");
		return LocalDate.ofInstant(Instant.parse(time), berlin).atTime(2, 0).atZone(berlin).toInstant();
	}

}
