package io.whizbang.sample.statement;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;

import io.whizbang.fanout.FanoutHandler;
import io.whizbang.fanout.FanoutSlice;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Writes statements, each for what a customer has bought since the last one.
 */
@Component
class Statements {

	private final JdbcClient jdbc;

	Statements(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Writes a statement. It is there if and only if the customer's cursor has moved, so
	 * that no order is on two of them.
	 */
	@FanoutHandler(topic = StatementPlanner.TOPIC, workKey = StatementPlanner.WORK)
	void write(FanoutSlice slice) {
		this.jdbc.sql("""
				insert into customer_statement (customer_id, since, until, orders, amount)
				select :customer, :since, :until, count(distinct o.id), coalesce(sum(l.quantity * l.price), 0)
				from customer_order o join order_line l on l.order_id = o.id
				where o.customer_id = :customer and o.status = 'CONFIRMED'
				  and o.placed_at < :until and o.placed_at >= coalesce(:since, '-infinity'::timestamptz)""")
			.param("customer", slice.shardKey())
			.param("since", time(slice.windowStart()))
			.param("until", time(slice.windowEnd()))
			.update();
	}

	/**
	 * Reads the statements of a customer.
	 * @param customerId the customer
	 * @return the newest first
	 */
	@Transactional(readOnly = true)
	List<Statement> of(String customerId) {
		return this.jdbc.sql("""
				select since, until, orders, amount from customer_statement
				where customer_id = ? order by until desc limit 100""").param(customerId).query(Statement.class).list();
	}

	private static @Nullable Timestamp time(@Nullable Instant instant) {
		return (instant != null) ? Timestamp.from(instant) : null;
	}

}
