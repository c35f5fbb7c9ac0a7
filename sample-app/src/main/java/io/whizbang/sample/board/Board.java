package io.whizbang.sample.board;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import io.whizbang.letter.DeadLetterFilter;
import io.whizbang.letter.DeadLetterSummary;
import io.whizbang.letter.DeadLetters;
import io.whizbang.work.Queue;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Looks at the newest orders. What that costs does not depend on how many there are.
 */
@Component
class Board {

	private static final int ORDERS = 30;

	private static final int TILES = 1000;

	private static final int LETTERS = 100;

	private static final String NEWEST = """
			select o.id, o.customer_id, o.placed_at, o.changed_at, o.placed_by, o.confirmed_by,
			       coalesce(a.attempts, 0) as attempts, a.instance as tried_by,
			       case when p.order_id is not null then a.instance end as paid_by, d.letter,
			       case when o.status <> 'PLACED' then o.status
			            when p.order_id is not null then 'PAID'
			            when d.letter is not null then 'DEAD'
			            when a.attempts > 1 then 'FAILING'
			            else 'PLACED' end as state
			from (select * from customer_order order by placed_at desc, id desc limit ?) o
			left join payment_attempt a on a.order_id = o.id
			left join payment p on p.order_id = o.id
			left join unnest(?::uuid[], ?::bigint[]) d (order_id, letter) on d.order_id = o.id""";

	private static final String ORDER_QUERY = """
			select n.*, l.articles, l.total from (%s) n
			cross join lateral (
			    select string_agg(quantity || ' × ' || sku, ', ' order by position) as articles,
			           sum(quantity * price) as total
			    from order_line where order_id = n.id) l
			order by n.placed_at desc, n.id desc""".formatted(NEWEST);

	private static final String TILE_QUERY = """
			select n.state, n.placed_by, n.paid_by, n.confirmed_by from (%s) n
			order by n.placed_at desc, n.id desc""".formatted(NEWEST);

	private final JdbcClient jdbc;

	private final DeadLetters deadLetters;

	private final String instance;

	Board(JdbcClient jdbc, DeadLetters deadLetters, @Value("${shop.instance}") String instance) {
		this.jdbc = jdbc;
		this.deadLetters = deadLetters;
		this.instance = instance;
	}

	@Transactional(readOnly = true)
	BoardView look() {
		Map<UUID, Long> dead = dead();
		UUID[] orders = dead.keySet().toArray(UUID[]::new);
		Long[] letters = dead.values().toArray(Long[]::new);
		return new BoardView(this.instance,
				this.jdbc.sql(ORDER_QUERY).params(ORDERS, orders, letters).query(BoardOrder.class).list(),
				this.jdbc.sql(TILE_QUERY).params(TILES, orders, letters).query(Tile.class).list());
	}

	/** The newest letters, by order: the order is the stream of its messages. */
	private Map<UUID, Long> dead() {
		Map<UUID, Long> dead = new HashMap<>();
		for (DeadLetterSummary letter : this.deadLetters.list(DeadLetterFilter.ALL.queue(Queue.INBOX), null, LETTERS)
			.letters()) {
			if (letter.stream() != null) {
				dead.putIfAbsent(letter.stream().value(), letter.id());
			}
		}
		return dead;
	}

}
