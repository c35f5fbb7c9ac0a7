package io.whizbang.sample;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

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

	/** How long the shop waits at most until what was written can be read. */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

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
			URI order = written(() -> one.place("book", "10"), (placed) -> summaries(placed).size() == 1);
			other.get(order).expectStatus().isOk().expectBody().jsonPath("$.lines[0].sku").isEqualTo("book");
			one.awaitConfirmation(order, 1);
			written(() -> other.delete(order).expectStatus().isNoContent(),
					(answer) -> summaries(order).equals(List.of("CANCELLED")));
			one.get(order).expectBody().jsonPath("$.status").isEqualTo("CANCELLED");
		}
	}

	/**
	 * Does something whose answer comes when its effect can be read, or when the shop has
	 * waited long enough: then it comes later.
	 */
	private static <T> T written(Supplier<T> request, Predicate<T> isThere) {
		long start = System.nanoTime();
		T answer = request.get();
		boolean hasWaited = System.nanoTime() - start >= PATIENCE.toNanos();
		assertThat(hasWaited || isThere.test(answer)).as("the effect is there when the answer is").isTrue();
		Await.until("the effect", () -> isThere.test(answer));
		return answer;
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
			// A test that runs at midnight has the sales of two days.
			shop.get("/sales")
				.expectStatus()
				.isOk()
				.expectBody()
				.jsonPath("$.sum($[*].orders)")
				.value((count) -> assertThat(new BigDecimal(count.toString()))
					.isEqualByComparingTo(new BigDecimal(orders.get("count").toString())))
				.jsonPath("$.sum($[*].amount)")
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
