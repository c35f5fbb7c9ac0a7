package io.whizbang.sample.sales;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

import io.whizbang.event.StoredEvent;
import io.whizbang.perspective.On;
import io.whizbang.perspective.OnPrepare;
import io.whizbang.perspective.OnReset;
import io.whizbang.perspective.OnRetire;
import io.whizbang.perspective.Perspective;
import io.whizbang.perspective.PerspectiveRun;
import io.whizbang.sample.event.OrderEvent;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Adds up the sales of all orders. Every run has a table of its own, so that a new one
 * can be built while the old one is read.
 */
@Perspective(name = SalesPerDay.NAME, global = true)
class SalesPerDay {

	static final String NAME = "sales-per-day";

	private final JdbcClient jdbc;

	SalesPerDay(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@On
	void paid(OrderEvent.Paid paid, StoredEvent stored, PerspectiveRun run) {
		add(run, stored.recordedAt(), 1, paid.amount());
	}

	@On
	void cancelled(OrderEvent.Cancelled cancelled, StoredEvent stored, PerspectiveRun run) {
		add(run, stored.recordedAt(), -1, cancelled.amount().negate());
	}

	private void add(PerspectiveRun run, Instant at, int orders, BigDecimal amount) {
		this.jdbc
			.sql("""
					insert into %s as s (day, orders, amount) values (?, ?, ?)
					on conflict (day) do update set orders = s.orders + excluded.orders, amount = s.amount + excluded.amount"""
				.formatted(table(run)))
			.params(LocalDate.ofInstant(at, ZoneOffset.UTC), orders, amount)
			.update();
	}

	@OnPrepare
	void create(PerspectiveRun run) {
		this.jdbc
			.sql("create table %s (day date primary key, orders int not null, amount numeric(20, 2) not null)"
				.formatted(table(run)))
			.update();
	}

	@OnReset
	void empty(PerspectiveRun run) {
		this.jdbc.sql("delete from " + table(run)).update();
	}

	@OnRetire
	void drop(PerspectiveRun run) {
		this.jdbc.sql("drop table " + table(run)).update();
	}

	/**
	 * Reads the sales of one day.
	 * @param run the run
	 * @param day the day
	 * @return its sales; none when nothing was sold
	 */
	DaySales of(PerspectiveRun run, LocalDate day) {
		return this.jdbc.sql("select day, orders, amount from %s where day = ?".formatted(table(run)))
			.param(day)
			.query(DaySales.class)
			.optional()
			.orElseGet(() -> new DaySales(day, 0, BigDecimal.ZERO));
	}

	/**
	 * Reads the sales of a run.
	 * @param run the run
	 * @param limit how many days at most
	 * @return the newest days first
	 */
	List<DaySales> newest(PerspectiveRun run, int limit) {
		return this.jdbc.sql("select day, orders, amount from %s order by day desc limit ?".formatted(table(run)))
			.param(limit)
			.query(DaySales.class)
			.list();
	}

	private static String table(PerspectiveRun run) {
		return run.table("sales_per_day");
	}

}
