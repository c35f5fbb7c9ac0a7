package io.whizbang.queue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.whizbang.test.Buffers;

/**
 * Counts the buffers of each statement about the queue "q", and undoes what they do.
 */
final class QueueCosts {

	private static final String DEQUEUE = """
			select * from whizbang.dequeue_batches('q', 5, 10, 1000000, 10, 30000, 'test', %d, true, '%s'::timestamptz)""";

	/** To a key that is there, to a new one, without a key, and later. */
	private static final String STORE = """
			select whizbang.store_queue_messages(5::smallint,
			    array[gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid()],
			    array[md5('a'), md5('a'), null, md5('b')]::uuid[], array['a', 'a', null, 'b'], array[1, 1, 2, 3],
			    array['q', 'q', 'q', 'q'], array['t', 't', 't', 't'], array['{}', '{}', '{}', '{}']::jsonb[],
			    array['{}', '{}', '{}', '{}'], array[null, null, null, 60000]::bigint[], array[null, null, null, null]::timestamptz[],
			    true)""";

	private final Connection session;

	private final Buffers buffers;

	QueueCosts(Connection session) {
		this.session = session;
		this.buffers = new Buffers(session);
	}

	/** Has all plans be made: of empty tables, but for one message. */
	void ofOneMessage() throws SQLException {
		this.buffers.of(STORE);
		of(0, "-infinity");
		this.session.rollback();
	}

	/**
	 * Counts.
	 * @param low where the line of ready keys may be read from
	 * @param dueFrom before when nothing is due
	 * @return the buffers by function
	 */
	Map<String, Integer> of(long low, String dueFrom) throws SQLException {
		Map<String, Integer> costs = new LinkedHashMap<>();
		String from = dueFrom.equals("null") ? "-infinity" : dueFrom;
		costs.put("mark_queue",
				this.buffers.steadilyUndone("select * from whizbang.mark_queue('q', %d, '%s')".formatted(low, from)));
		costs.put("next_queue_ms",
				this.buffers.steadilyUndone("select whizbang.next_queue_ms(array['q'], '%s')".formatted(from)));
		costs.put("store_queue_messages", this.buffers.steadilyUndone(STORE));
		String dequeue = DEQUEUE.formatted(low, from);
		costs.put("dequeue_batches", this.buffers.steadilyUndone(dequeue));
		Savepoint before = this.session.setSavepoint();
		Taken taken = take(dequeue);
		costs.put("renew_batches", this.buffers.steadilyUndone(taken.renewal()));
		costs.put("settle_batches", this.buffers.steadilyUndone(taken.settlement()));
		this.session.rollback(before);
		return costs;
	}

	int ofDequeueing(long low) throws SQLException {
		int buffers = this.buffers.steadilyUndone(DEQUEUE.formatted(low, "-infinity"));
		this.session.rollback();
		return buffers;
	}

	private Taken take(String dequeue) throws SQLException {
		Set<String> keys = new LinkedHashSet<>();
		Set<String> tokens = new LinkedHashSet<>();
		List<String> messages = new ArrayList<>();
		try (Statement statement = this.session.createStatement(); ResultSet rows = statement.executeQuery(dequeue)) {
			while (rows.next()) {
				keys.add(rows.getString("key_id"));
				tokens.add(rows.getString("token"));
				messages.add(rows.getString("key_id") + "/" + rows.getString("seq"));
			}
		}
		return new Taken(List.copyOf(keys), List.copyOf(tokens), messages);
	}

	private record Taken(List<String> keys, List<String> tokens, List<String> messages) {

		String renewal() {
			return "select * from whizbang.renew_batches(%s, %s, 30000)".formatted(keyIds(), tokenIds());
		}

		/** The first message has failed, the second is dead, all others are done. */
		String settlement() {
			List<String> blamed = this.messages.subList(0, 1);
			List<String> dead = this.messages.subList(1, 2);
			List<String> done = this.messages.subList(2, this.messages.size());
			return "select whizbang.settle_batches(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, 10, true)"
				.formatted(keyIds(), tokenIds(), array("boolean", this.keys.stream().map((key) -> "false")),
						array("bigint", this.keys.stream().map((key) -> "0")), array("int", failures()),
						array("text", this.keys.stream().map((key) -> "boom")), keys(done), numbers(done), keys(blamed),
						numbers(blamed), keys(dead), numbers(dead), array("text", Stream.of("permanent")),
						array("text", Stream.of("boom")));
		}

		private Stream<String> failures() {
			String first = this.messages.get(0).split("/")[0];
			return this.keys.stream().map((key) -> key.equals(first) ? "1" : "0");
		}

		private String keyIds() {
			return array("uuid", this.keys.stream());
		}

		private String tokenIds() {
			return array("uuid", this.tokens.stream());
		}

		private static String keys(List<String> messages) {
			return array("uuid", messages.stream().map((message) -> message.split("/")[0]));
		}

		private static String numbers(List<String> messages) {
			return array("bigint", messages.stream().map((message) -> message.split("/")[1]));
		}

		private static String array(String type, Stream<String> values) {
			return values.map((value) -> "'" + value + "'")
				.collect(Collectors.joining(", ", "array[", "]::" + type + "[]"));
		}

	}

}
