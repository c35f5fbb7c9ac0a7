package io.whizbang.event;

import java.math.BigDecimal;

import io.whizbang.message.StreamId;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@PostgresTest
class UpcastingTests {

	private static final Upcaster FIRST = Upcaster.of("invoice", 1, (payload) -> {
		ObjectNode invoice = (ObjectNode) payload;
		return invoice.set("total", invoice.remove("amount"));
	});

	private static final Upcaster SECOND = Upcaster.of("invoice", 2,
			(payload) -> ((ObjectNode) payload).put("currency", "EUR"));

	private final EventFixture fixture;

	UpcastingTests(PostgresDatabase database) {
		this.fixture = new EventFixture(database, database.dataSource());
	}

	private EventStore release(Class<?> type, Upcaster... upcasters) {
		return this.fixture.store(EventStoreSettings.defaults(), EventTypes.of(type), upcasters);
	}

	@Test
	void everyReleaseReadsWhatThoseBeforeItWrote() {
		release(First.class).append("A", ExpectedVersion.none(), new First(new BigDecimal("10.10")));
		release(Second.class, FIRST).append("A", ExpectedVersion.exactly(1), new Second(new BigDecimal("20.20")));
		EventStore now = release(Third.class, FIRST, SECOND);
		now.append("A", ExpectedVersion.exactly(2), new Third(new BigDecimal("30.30"), "USD"));
		assertThat(now.read("A").map(StoredEvent::payload)).containsExactly(new Third(new BigDecimal("10.10"), "EUR"),
				new Third(new BigDecimal("20.20"), "EUR"), new Third(new BigDecimal("30.30"), "USD"));
		assertThat(now.read("A").map(StoredEvent::typeVersion)).containsExactly(1, 2, 3);
		assertThat(this.fixture.committed()
			.queryForList("select payload from whizbang.wh_events order by version", String.class))
			.as("what is stored stays as it was written")
			.startsWith("{\"amount\":10.10}", "{\"total\":20.20}");
	}

	@Test
	void anEventThatCannotBeReadDoesNotHideThoseBeforeIt() {
		release(First.class).append("A", ExpectedVersion.none(), new First(BigDecimal.ONE));
		release(Second.class, FIRST).append("A", ExpectedVersion.exactly(1), new Second(BigDecimal.TEN));
		EventStore behind = release(First.class);
		assertThat(behind.readPage(StreamId.of("A"), 1, 1)).hasSize(1);
		assertThatExceptionOfType(EventTypeException.class).isThrownBy(() -> behind.read("A").toList())
			.withMessageContaining("invoice v2")
			.withMessageContaining("later release");
	}

	@Test
	void anEventWithoutAClassSaysWhichOneIsMissing() {
		release(First.class).append("A", ExpectedVersion.none(), new First(BigDecimal.ONE));
		assertThatExceptionOfType(EventTypeException.class).isThrownBy(() -> this.fixture.store.read("A").toList())
			.withMessageContaining("@EventType(\"invoice\")");
	}

	@EventType("invoice")
	record First(BigDecimal amount) {
	}

	@EventType(value = "invoice", version = 2)
	record Second(BigDecimal total) {
	}

	@EventType(value = "invoice", version = 3)
	record Third(BigDecimal total, String currency) {
	}

}
