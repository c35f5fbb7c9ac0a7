package io.whizbang.transport;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CloudEventsTests {

	private static final UUID ID = UUID.fromString("01900000-0000-7000-8000-000000000001");

	private static final EventDefaults DEFAULTS = new EventDefaults("orders", "orders-0-42", "record-key");

	private final CloudEvents events = new CloudEvents("/shop");

	@Test
	void writesTheAttributesInOrderAndThenTheHeaders() {
		Map<String, String> sent = new LinkedHashMap<>();
		sent.put(HeaderNames.CORRELATION_ID, "c-1");
		sent.put(HeaderNames.CAUSATION_ID, "c-0");
		sent.put("tenant", "blue");
		Map<String, String> headers = this.events.write(message("customer-7", sent), CloudEvents.KAFKA_PREFIX);
		Map<String, String> expected = new LinkedHashMap<>();
		expected.put("ce_specversion", "1.0");
		expected.put("ce_id", ID.toString());
		expected.put("ce_source", "/shop");
		expected.put("ce_type", "OrderPlaced");
		expected.put("ce_time", "2026-01-02T03:04:05.678Z");
		expected.put("ce_subject", "orders");
		expected.put("ce_partitionkey", "customer-7");
		expected.put("ce_correlationid", "c-1");
		expected.put("ce_causationid", "c-0");
		expected.put("tenant", "blue");
		assertThat(headers).containsExactlyEntriesOf(expected);
	}

	@Test
	void leavesOutWhatAMessageDoesNotHave() {
		assertThat(this.events.write(message(null, Map.of()), "cloudEvents:")).containsOnlyKeys(
				"cloudEvents:specversion", "cloudEvents:id", "cloudEvents:source", "cloudEvents:type",
				"cloudEvents:time", "cloudEvents:subject");
	}

	@Test
	void letsNoHeaderPassForAnAttribute() {
		Map<String, String> headers = this.events
			.write(message(null, Map.of("ce_id", "forged", "Content-Type", "text/html")), CloudEvents.KAFKA_PREFIX);
		assertThat(headers).containsEntry("ce_id", ID.toString()).doesNotContainKey("Content-Type");
	}

	@Test
	void keepsHeadersThatOnlyLookLikeAttributes() {
		Map<String, String> own = Map.of("ce_partitionkey", "mine", "ce_correlationid", "mine", "ce_shard", "7");
		assertThat(this.events.write(message(null, own), CloudEvents.KAFKA_PREFIX)).containsAllEntriesOf(own);
		assertThat(this.events.write(message("customer-7", own), CloudEvents.KAFKA_PREFIX))
			.containsEntry("ce_partitionkey", "customer-7")
			.containsEntry("ce_correlationid", "mine");
	}

	@Test
	void writesEachNameOnce() {
		Map<String, String> sent = Map.of(HeaderNames.CORRELATION_ID, "c-1", "ce_correlationid", "mine", "ce_id", "2",
				"ce_partitionkey", "mine", "tenant", "blue");
		List<String> names = new ArrayList<>();
		this.events.write(message("customer-7", sent), CloudEvents.KAFKA_PREFIX, (name, value) -> names.add(name));
		assertThat(names).doesNotHaveDuplicates().hasSize(9).contains("tenant");
	}

	@ParameterizedTest
	@ValueSource(strings = { "1970-01-01T00:00:00Z", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.600Z",
			"2026-01-02T03:04:05.678901Z", "2026-01-02T03:04:05.000000001Z", "2026-01-02T03:04:05.010Z",
			"1969-12-31T23:59:59.999999Z", "+12026-01-02T03:04:05.678Z", "-0001-01-02T03:04:05.678Z" })
	void writesTimesAsJavaDoes(String time) {
		Envelope message = new Envelope(MessageId.of(ID), "orders", "OrderPlaced", null, Map.of(), "1",
				Instant.parse(time));
		for (int i = 0; i < 2; i++) {
			assertThat(this.events.write(message, "ce_")).containsEntry("ce_time", Instant.parse(time).toString());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ce_", "cloudEvents:", "cloudEvents_" })
	void readsWhatWasWritten(String prefix) {
		Map<String, String> sent = Map.of(HeaderNames.CORRELATION_ID, "c-1", HeaderNames.CAUSATION_ID, "c-0",
				HeaderNames.TRACE_PARENT, "00-1-2-01", "tenant", "blue");
		Map<String, String> headers = new LinkedHashMap<>(this.events.write(message("customer-7", sent), prefix));
		headers.put("content-type", "application/json");
		ReceivedEvent event = read(headers, "{\"total\":1}");
		Map<String, String> expected = new LinkedHashMap<>(sent);
		expected.putAll(Map.of("ce_source", "/shop", "ce_subject", "orders", "ce_time", "2026-01-02T03:04:05.678Z"));
		assertThat(event).isEqualTo(
				new ReceivedEvent(ID.toString(), "orders", "OrderPlaced", "customer-7", expected, "{\"total\":1}"));
	}

	@Test
	void readsMessagesOfSendersThatKnowNothingOfCloudEvents() {
		assertThat(read(Map.of("tenant", "blue"), "[1]"))
			.isEqualTo(new ReceivedEvent("orders-0-42", "orders", null, "record-key", Map.of("tenant", "blue"), "[1]"));
	}

	@Test
	void readsTheTraceContextOfOtherSenders() {
		assertThat(read(Map.of("ce_id", "1", "ce_traceparent", "00-1-2-01"), "1").headers())
			.containsOnly(Map.entry(HeaderNames.TRACE_PARENT, "00-1-2-01"));
	}

	@Test
	void refusesAnEventWithoutItsId() {
		assertMalformed(Map.of("ce_specversion", "1.0"), "{}", "It is a CloudEvent without the attribute id");
		assertThatExceptionOfType(MalformedEventException.class)
			.isThrownBy(() -> CloudEvents.read(Map.of(), new byte[] { '1' }, new EventDefaults("orders", null, null)))
			.withMessage("It has no id; send one as the header ce_id");
	}

	@Test
	void refusesStructuredMode() {
		assertMalformed(Map.of("content-type", "application/cloudevents+json; charset=UTF-8"), "{}",
				"It is a CloudEvent in structured mode (content type application/cloudevents+json; charset=UTF-8); "
						+ "send it in binary mode, with its attributes as headers");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"a\":", "{a:1}", "secret", "{\"a\":\"\u0000\"}", "{\"a\":1}}", "[1,]", "\"\\q\"" })
	void refusesWhatIsNotJson(String payload) {
		assertThatExceptionOfType(MalformedEventException.class).isThrownBy(() -> read(Map.of(), payload))
			.withMessageMatching("Its payload is not JSON \\(line 1, column \\d+\\)");
	}

	@Test
	void refusesWhatNobodyCouldRead() {
		assertThatExceptionOfType(MalformedEventException.class).isThrownBy(() -> read(Map.of(), "7".repeat(1_001)))
			.withMessageStartingWith("Its payload goes beyond what JSON is read with: Number value length (1001)");
		assertThatExceptionOfType(MalformedEventException.class)
			.isThrownBy(() -> read(Map.of(), "[".repeat(2_000) + "]".repeat(2_000)))
			.withMessageStartingWith("Its payload goes beyond what JSON is read with: Document nesting depth");
	}

	@Test
	void refusesMoreThanOneValue() {
		assertMalformed(Map.of(), "{} {}", "Its payload is more than one JSON value");
	}

	@Test
	void refusesNothing() {
		assertMalformed(Map.of(), " ", "Its payload is blank");
		assertMalformed(Map.of(), "", "It has no payload");
		assertThatExceptionOfType(MalformedEventException.class)
			.isThrownBy(() -> CloudEvents.read(Map.of(), null, DEFAULTS))
			.withMessage("It has no payload");
	}

	@Test
	void refusesOtherEncodings() {
		assertThatExceptionOfType(MalformedEventException.class)
			.isThrownBy(() -> CloudEvents.read(Map.of(), "\"ä\"".getBytes(StandardCharsets.ISO_8859_1), DEFAULTS))
			.withMessage("Its payload is not UTF-8");
	}

	private static void assertMalformed(Map<String, String> headers, String payload, String message) {
		assertThatExceptionOfType(MalformedEventException.class).isThrownBy(() -> read(headers, payload))
			.withMessage(message);
	}

	private static ReceivedEvent read(Map<String, String> headers, String payload) {
		return CloudEvents.read(headers, payload.getBytes(StandardCharsets.UTF_8), DEFAULTS);
	}

	private static Envelope message(String stream, Map<String, String> headers) {
		return new Envelope(MessageId.of(ID), "orders", "OrderPlaced", (stream != null) ? StreamId.of(stream) : null,
				headers, "{\"total\":1}", Instant.parse("2026-01-02T03:04:05.678Z"));
	}

}
