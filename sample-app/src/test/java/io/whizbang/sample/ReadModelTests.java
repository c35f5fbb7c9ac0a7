package io.whizbang.sample;

import java.math.BigDecimal;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What customers and the owner of the shop look at follows the events, over two instances
 * of the shop.
 */
@PostgresTest
class ReadModelTests {

	private static RunningShop one;

	private static RunningShop other;

	private final PostgresDatabase database;

	ReadModelTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeAll
	static void openTwoShops(PostgresDatabase database) {
		one = open(database);
		other = open(database);
	}

	private static RunningShop open(PostgresDatabase database) {
		return new RunningShop(database, "whizbang.perspectives.retire-after=2s");
	}

	@AfterAll
	static void closeThem() {
		other.close();
		one.close();
	}

	@Test
	void showsOnBothInstancesWhatWasJustWritten() {
		for (int i = 0; i < 10; i++) {
			URI order = one.place("book", "10");
			assertThat(summaries(order)).hasSize(1);
			other.get(order).expectStatus().isOk().expectBody().jsonPath("$.lines[0].sku").isEqualTo("book");
			one.awaitConfirmation(order, 1);
			other.delete(order).expectStatus().isNoContent();
			assertThat(summaries(order)).containsExactly("CANCELLED");
			one.get(order).expectBody().jsonPath("$.status").isEqualTo("CANCELLED");
		}
	}

	@Test
	void cancelsOnlyWhatIsPaid() {
		URI declined = one.place("yacht", "1000.01");
		Await.untilAsserted(() -> assertThat(summaries(declined)).containsExactly("DECLINED"));
		one.delete(declined)
			.expectStatus()
			.isEqualTo(409)
			.expectBody()
			.jsonPath("$.detail")
			.value((detail) -> assertThat((String) detail)
				.endsWith("only an order that is CONFIRMED can be cancelled"));
	}

	@Test
	void addsUpTheSalesOfBothInstances() {
		List<URI> orders = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			orders.add(one.place("book", "10"));
			orders.add(other.place("pen", "1.50"));
		}
		orders.forEach((order) -> one.awaitConfirmation(order, 1));
		awaitSales(one);
		other.delete(orders.get(0)).expectStatus().isNoContent();
		awaitSales(other);
	}

	@Test
	void goesOnWithoutAnInstanceThatStops() {
		RunningShop third = open(this.database);
		URI before = third.place("book", "10");
		third.close();
		URI after = one.place("book", "10");
		one.awaitConfirmation(before, 1);
		other.awaitConfirmation(after, 1);
		awaitSales(one);
	}

	@Test
	void buildsTheSummariesAnewInTheirPlace() {
		URI order = one.place("book", "10");
		one.awaitConfirmation(order, 1);
		this.database.jdbc().update("update order_summary set status = 'DECLINED'");
		other.post("/actuator/whizbangperspectives/order-summary/rebuild").expectStatus().is2xxSuccessful();
		Await.untilAsserted(() -> assertThat(summaries(order)).containsExactly("CONFIRMED"));
	}

	@Test
	void buildsTheSalesAnewBesideThoseThatAreRead() {
		one.awaitConfirmation(one.place("book", "10"), 1);
		awaitSales(one);
		this.database.jdbc().update("update sales_per_day set amount = 0");
		other.post("/actuator/whizbangperspectives/sales-per-day/rebuild-beside").expectStatus().is2xxSuccessful();
		one.awaitConfirmation(one.place("book", "10"), 1);
		awaitSales(one);
		awaitSales(other);
		Await.untilAsserted(() -> assertThat(tables("sales_per_day%")).containsExactly("sales_per_day_r2"));
	}

	/** Sales come by events, and these by messages; at the end all must say the same. */
	private void awaitSales(RunningShop shop) {
		Await.untilAsserted(() -> {
			Map<String, Object> orders = this.database.jdbc()
				.queryForMap("select count(*) as count, sum(p.amount) as amount from customer_order o "
						+ "join payment p on p.order_id = o.id where o.status = 'CONFIRMED'");
			shop.get("/sales")
				.expectStatus()
				.isOk()
				.expectBody()
				.jsonPath("$[0].orders")
				.value((count) -> assertThat(count).hasToString(String.valueOf(orders.get("count"))))
				.jsonPath("$[0].amount")
				.value((amount) -> assertThat(new BigDecimal(amount.toString()))
					.isEqualByComparingTo(new BigDecimal(orders.get("amount").toString())));
		});
	}

	private List<String> summaries(URI order) {
		return this.database.jdbc()
			.queryForList("select status from order_summary where '/orders/' || id = ?", String.class, order.getPath());
	}

	private List<String> tables(String pattern) {
		return this.database.jdbc()
			.queryForList("select tablename::text from pg_tables where tablename like ?", String.class, pattern);
	}

}
