package io.whizbang.coordinator;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.whizbang.message.NewMessage;
import io.whizbang.message.StreamId;
import io.whizbang.work.Claim;
import io.whizbang.work.FailureText;
import io.whizbang.work.Outcome;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/**
 * What an exchange says and answers, as JSON: new keys do not disturb an older function
 * or an older instance, so that both run together while an upgrade rolls out.
 */
final class ExchangeJson {

	/** More in one claim would not fit the memory of a small instance. */
	private static final long MAX_CLAIM_BYTES = 16 * 1024 * 1024;

	private final JsonMapper mapper = JsonMapper.builder().build();

	private final CoordinatorSettings settings;

	ExchangeJson(CoordinatorSettings settings) {
		this.settings = settings;
	}

	String write(Map<String, String> map) {
		return this.mapper.writeValueAsString(map);
	}

	String write(WorkRequest request) {
		ObjectNode node = this.mapper.createObjectNode();
		node.put("limit", request.limit());
		node.put("suspects", request.concurrency());
		node.put("steal", request.steal());
		node.put("behind_own", request.behindOwn());
		node.put("lease_ms", this.settings.lease().toMillis());
		node.put("heartbeat_ms", this.settings.heartbeat().toMillis());
		node.put("dead_ms", this.settings.deadAfter().toMillis());
		node.put("stale_ms", this.settings.staleAfter().toMillis());
		node.put("max_bytes", MAX_CLAIM_BYTES);
		node.put("max_partitions", this.settings.maxPartitionsPerInstance());
		node.put("debug", this.settings.debug());
		node.put("synchronous_commit", this.settings.synchronousCommit());
		if (request.memory() != null) {
			node.putRawValue("memory", new RawValue(request.memory()));
		}
		return node.toString();
	}

	String write(WorkReport report) {
		ObjectNode node = this.mapper.createObjectNode();
		Map<Claim, ObjectNode> claims = new LinkedHashMap<>();
		if (report.known() != null) {
			node.put("knows_all", true);
			report.known().forEach((claim) -> named(claims, claim));
		}
		report.renewed().forEach((claim) -> named(claims, claim).put("action", "renew"));
		report.finished().forEach((claim) -> named(claims, claim).put("action", "finish"));
		ArrayNode outcomes = node.putArray("outcomes");
		report.outcomes().forEach((work, outcome) -> addOutcome(named(claims, work.claim()), outcomes, work, outcome));
		node.putArray("claims").addAll(claims.values());
		if (!report.holding().isEmpty()) {
			ArrayNode holding = node.putArray("holding");
			report.holding().forEach(holding::add);
		}
		if (!report.members()) {
			node.put("members", false);
		}
		if (!report.newMessages().isEmpty()) {
			ArrayNode messages = node.putArray("new");
			report.newMessages().forEach((message) -> addMessage(messages.addObject(), message));
		}
		return node.toString();
	}

	private ObjectNode named(Map<Claim, ObjectNode> claims, Claim claim) {
		return claims.computeIfAbsent(claim,
				(key) -> this.mapper.createObjectNode().put("id", key.id()).put("token", key.token().toString()));
	}

	private static void addOutcome(ObjectNode claim, ArrayNode outcomes, Work work, Outcome outcome) {
		if (outcome instanceof Outcome.Done) {
			claim.withArray("done").add(work.seq());
			return;
		}
		ObjectNode node = outcomes.addObject().put("claim", work.claim().id()).put("seq", work.seq());
		UUID stream = work.stream();
		if (stream != null) {
			node.put("stream", stream.toString());
		}
		if (outcome instanceof Outcome.Retry retry) {
			waiting(node, "retry", retry.delay(), retry.error());
		}
		else if (outcome instanceof Outcome.Postpone postpone) {
			waiting(node, "postpone", postpone.delay(), postpone.reason());
		}
		else if (outcome instanceof Outcome.Dead dead) {
			node.put("kind", "dead")
				.put("reason", dead.reason())
				.put("error", FailureText.bounded(dead.error()))
				.put("tried", dead.tried());
		}
		else {
			node.put("kind", "release");
		}
	}

	private static void waiting(ObjectNode node, String kind, Duration delay, String error) {
		node.put("kind", kind).put("delay_ms", Math.max(delay.toMillis(), 0)).put("error", FailureText.bounded(error));
	}

	private void addMessage(ObjectNode node, NewMessage message) {
		StreamId stream = message.stream();
		node.put("id", message.id().toString()).put("hash", message.partitionHash());
		if (stream != null) {
			node.put("stream_id", stream.value().toString());
			if (!stream.key().equals(stream.value().toString())) {
				node.put("stream_key", stream.key());
			}
		}
		node.put("topic", message.topic()).put("type", message.type()).put("payload", message.payload());
		node.set("headers", this.mapper.valueToTree(message.headers()));
		if (message.delay() != null) {
			node.put("delay_ms", message.delay().toMillis());
		}
		if (message.notBefore() != null) {
			node.put("not_before", message.notBefore().toString());
		}
	}

	@SuppressWarnings("unchecked")
	Map<String, String> readHeaders(String json) {
		return "{}".equals(json) ? Map.of() : this.mapper.readValue(json, Map.class);
	}

	ExchangeAnswer readAnswer(String json) {
		JsonNode node = this.mapper.readTree(json);
		Claim claim = node.has("claim")
				? new Claim(node.get("claim").longValue(), UUID.fromString(node.get("token").stringValue())) : null;
		JsonNode memory = node.get("memory");
		return new ExchangeAnswer(node.path("refused").booleanValue(false), claim, time(node.get("lease_expiry")),
				node.path("claimed").intValue(0), node.path("carried").booleanValue(false), numbers(node.get("lost")),
				numbers(node.get("released")), node.path("more").booleanValue(false),
				node.path("held_back").booleanValue(false), duration(node.get("next_due_ms")),
				node.path("members").intValue(0), node.path("rank").intValue(-1), node.path("epoch").intValue(0),
				node.path("recovered").intValue(0), node.path("orphans").intValue(0), ranks(node.get("moved_to")),
				(memory != null) ? memory.toString() : null);
	}

	private static @Nullable Instant time(@Nullable JsonNode node) {
		return (node != null) ? OffsetDateTime.parse(node.stringValue()).toInstant() : null;
	}

	private static @Nullable Duration duration(@Nullable JsonNode node) {
		return (node != null && !node.isNull()) ? Duration.ofNanos((long) (node.doubleValue() * 1_000_000)) : null;
	}

	private static Set<Integer> ranks(@Nullable JsonNode node) {
		Set<Integer> ranks = new HashSet<>();
		if (node != null) {
			node.forEach((element) -> ranks.add(element.intValue()));
		}
		return ranks;
	}

	private static Set<Long> numbers(@Nullable JsonNode node) {
		Set<Long> numbers = new HashSet<>();
		if (node != null) {
			node.forEach((element) -> numbers.add(element.longValue()));
		}
		return numbers;
	}

}
