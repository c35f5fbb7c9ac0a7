package io.whizbang.join;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads joins.
 */
final class JoinRows {

	private static final JsonMapper MAPPER = JsonMapper.shared();

	private JoinRows() {
	}

	static Join join(ResultSet rows) throws SQLException {
		return new Join(JoinId.of(rows.getObject("join_id", UUID.class)), rows.getString("join_key"),
				JoinStatus.of(rows.getInt("status")), rows.getObject("expected", Integer.class),
				rows.getInt("attached"), rows.getInt("done"), rows.getInt("failed"), rows.getInt("late"),
				texts(MAPPER.readTree(rows.getString("metadata"))), at(rows, "started_at"), time(rows, "deadline"),
				time(rows, "closed_at"));
	}

	static JoinMember member(ResultSet rows) throws SQLException {
		return new JoinMember(rows.getString("member"), JoinMember.Outcome.of(rows.getInt("outcome")),
				rows.getBoolean("late"), at(rows, "attached_at"), time(rows, "reported_at"), rows.getString("reason"));
	}

	static Attached attached(ResultSet rows) throws SQLException {
		Integer status = rows.getObject("status", Integer.class);
		return new Attached((status != null) ? JoinStatus.of(status) : null, rows.getObject("expected", Integer.class),
				rows.getInt("attached"), rows.getInt("added"), rows.getBoolean("is_full"));
	}

	static Fold fold(ResultSet rows) throws SQLException {
		JsonNode node = MAPPER.readTree(rows.getString(1));
		List<ClosedJoin> closed = new ArrayList<>();
		node.get("closed").forEach((join) -> closed.add(closed(join)));
		JsonNode next = node.get("next_ms");
		return new Fold(node.get("counted").asInt(), node.get("more").asBoolean(), node.get("held_back").asBoolean(),
				node.get("from").asLong(), OffsetDateTime.parse(node.get("due_from").asString()).toInstant(),
				next.isNull() ? null : Duration.ofMillis(next.asLong()), closed);
	}

	private static ClosedJoin closed(JsonNode node) {
		JoinResult result = new JoinResult(node.get("id").asString(), text(node.get("key")),
				JoinStatus.of(node.get("status").asInt()), node.get("expected").asInt(), node.get("done").asInt(),
				node.get("failed").asInt(), texts(node.get("metadata")));
		return new ClosedJoin(result, text(node.get("topic")), texts(node.get("headers")));
	}

	private static @Nullable String text(JsonNode node) {
		return node.isNull() ? null : node.asString();
	}

	@SuppressWarnings("unchecked")
	private static Map<String, String> texts(JsonNode node) {
		return Map.copyOf(MAPPER.treeToValue(node, Map.class));
	}

	private static Instant at(ResultSet rows, String column) throws SQLException {
		return rows.getObject(column, OffsetDateTime.class).toInstant();
	}

	private static @Nullable Instant time(ResultSet rows, String column) throws SQLException {
		OffsetDateTime time = rows.getObject(column, OffsetDateTime.class);
		return (time != null) ? time.toInstant() : null;
	}

}
