package io.whizbang.event;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.event.EventFixture.Broken;
import io.whizbang.event.EventFixture.Paid;
import io.whizbang.event.EventFixture.Placed;
import io.whizbang.event.EventFixture.Shipped;
import io.whizbang.event.EventFixture.Unnamed;
import io.whizbang.message.CurrentMessage;
import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.message.PayloadException;
import io.whizbang.message.StreamId;
import io.whizbang.observation.EventObservations;
import io.whizbang.outbox.CountingDataSource;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

@PostgresTest
class JdbcEventStoreTests {

	private final PostgresDatabase database;

	private final CountingDataSource dataSource;

	private final EventFixture fixture;

	private final EventStore store;

	JdbcEventStoreTests(PostgresDatabase database) {
		this.database = database;
		this.dataSource = new CountingDataSource(database.dataSource());
		this.fixture = new EventFixture(database, this.dataSource);
		this.store = this.fixture.store;
	}

	@Test
	void givesEventsTheVersionsOneTwoThree() {
		Appended first = this.store.append("A", ExpectedVersion.none(), Placed.of(10), new Paid(4));
		Appended second = this.store.append("A", first.next(), new Paid(6));
		assertThat(first.firstVersion()).isEqualTo(1);
		assertThat(first.lastVersion()).isEqualTo(2);
		assertThat(second.firstVersion()).isEqualTo(3);
		assertThat(second.lastVersion()).isEqualTo(3);
		assertThat(second.lastPosition()).isGreaterThan(first.lastPosition());
		assertThat(this.store.read("A")).extracting(StoredEvent::version, StoredEvent::payload)
			.containsExactly(tuple(1L, Placed.of(10)), tuple(2L, new Paid(4)), tuple(3L, new Paid(6)));
	}

	@Test
	void keepsEverythingAboutAnEvent() {
		MessageId id = MessageId.next();
		EventMetadata metadata = EventMetadata.ofUser("ada").with("tenant", "acme \"& co\" ä 😀");
		Appended appended = this.store.append("customer 7", ExpectedVersion.any(),
				NewEvent.of(new Placed("ä 漢字 😀 \0", new BigDecimal("10.10"))).withId(id).with(metadata));
		StoredEvent event = this.store.read("customer 7").toList().get(0);
		assertThat(event.position()).isEqualTo(appended.lastPosition());
		assertThat(event.stream()).isEqualTo(StreamId.of("customer 7"));
		assertThat(event.id()).isEqualTo(id);
		assertThat(event.type()).isEqualTo("order-placed");
		assertThat(event.typeVersion()).isEqualTo(1);
		assertThat(event.payload()).isEqualTo(new Placed("ä 漢字 😀 \0", new BigDecimal("10.10")));
		assertThat(event.metadata()).isEqualTo(metadata);
		assertThat(event.metadata().user()).isEqualTo("ada");
		assertThat(this.store.readAll(0, 10)).containsExactly(event);
		assertThat(event.recordedAt()).isEqualTo(this.store.info("customer 7").createdAt());
	}

	@Test
	void appendsAnyNumberOfEventsInOneStatement() {
		List<Paid> events = IntStream.range(0, 5_000).mapToObj(Paid::new).toList();
		this.store.append(StreamId.of("A"), ExpectedVersion.any(), events);
		assertThat(this.dataSource.statements()).hasSize(1);
		assertThat(this.fixture.versions("A")).isEqualTo(LongStream.rangeClosed(1, 5_000).boxed().toList());
		assertThat(this.store.read("A").map(StoredEvent::payload)).isEqualTo(events);
	}

	@Test
	void appendsToSeveralStreamsInOneStatement() {
		this.store.append("B", ExpectedVersion.any(), new Paid(0));
		this.dataSource.statements().clear();
		List<Appended> appended = this.store
			.appendAll(List.of(StreamAppend.of("C", ExpectedVersion.none(), new Paid(1), new Paid(2)),
					StreamAppend.of("B", ExpectedVersion.exactly(1), new Paid(3)),
					StreamAppend.of("A", ExpectedVersion.any(), new Paid(4))));
		assertThat(this.dataSource.statements()).hasSize(1);
		assertThat(appended).extracting((place) -> place.stream().key(), Appended::firstVersion, Appended::lastVersion)
			.containsExactly(tuple("C", 1L, 2L), tuple("B", 2L, 2L), tuple("A", 1L, 1L));
		assertThat(this.store.readAll(0, 10).map(StoredEvent::payload)).containsExactly(new Paid(0), new Paid(1),
				new Paid(2), new Paid(3), new Paid(4));
		assertThat(this.store.readAll(0, 10).map((event) -> event.stream().key())).containsExactly("B", "C", "C", "B",
				"A");
	}

	@Test
	void appendsToNoStreamWhenOneOfThemStandsElsewhere() {
		this.store.append("B", ExpectedVersion.any(), new Paid(0));
		assertThatExceptionOfType(OptimisticConcurrencyException.class)
			.isThrownBy(() -> this.store.appendAll(List.of(StreamAppend.of("A", ExpectedVersion.any(), new Paid(1)),
					StreamAppend.of("B", ExpectedVersion.exactly(7), new Paid(2)),
					StreamAppend.of("C", ExpectedVersion.none(), new Paid(3)))))
			.satisfies((conflict) -> {
				assertThat(conflict.stream()).isEqualTo(StreamId.of("B"));
				assertThat(conflict.found()).isEqualTo(1);
			});
		assertThat(this.store.readAll(0, 10)).hasSize(1);
		assertThat(this.fixture.committed().queryForList("select version from whizbang.wh_streams", Long.class))
			.containsExactly(1L);
	}

	@Test
	void readsAStreamInPagesInBothDirections() {
		this.store.append("other", ExpectedVersion.any(), new Paid(-1));
		this.store.append(StreamId.of("A"), ExpectedVersion.any(),
				IntStream.rangeClosed(1, 25).mapToObj(Paid::new).toList());
		EventStore paging = this.fixture.store(EventStoreSettings.defaults().withPageSize(10), EventFixture.TYPES);
		this.dataSource.statements().clear();
		assertThat(paging.read("A").map(StoredEvent::version))
			.isEqualTo(LongStream.rangeClosed(1, 25).boxed().toList());
		assertThat(this.dataSource.statements()).hasSize(3);
		assertThat(paging.read(StreamId.of("A"), 20).map(StoredEvent::version)).containsExactly(20L, 21L, 22L, 23L, 24L,
				25L);
		assertThat(paging.read(StreamId.of("A"), 26)).isEmpty();
		assertThat(paging.readBackwards("A").map(StoredEvent::version))
			.isEqualTo(LongStream.rangeClosed(1, 25).map((n) -> 26 - n).boxed().toList());
		assertThat(paging.readBackwards(StreamId.of("A"), 3).map(StoredEvent::version)).containsExactly(3L, 2L, 1L);
		assertThat(paging.readPage(StreamId.of("A"), 5, 12)).extracting(StoredEvent::version)
			.isEqualTo(LongStream.rangeClosed(5, 16).boxed().toList());
		assertThat(paging.readPage(StreamId.of("A"), 24, 12)).hasSize(2);
	}

	@Test
	void readsAllEventsBehindAPosition() {
		this.store.append("A", ExpectedVersion.any(), new Paid(1), new Paid(2));
		long position = this.store.append("B", ExpectedVersion.any(), new Paid(3)).lastPosition();
		this.store.append("A", ExpectedVersion.any(), new Paid(4), new Paid(5));
		EventStore paging = this.fixture.store(EventStoreSettings.defaults().withPageSize(2), EventFixture.TYPES);
		assertThat(paging.readAll(0, 100).map(StoredEvent::payload)).containsExactly(new Paid(1), new Paid(2),
				new Paid(3), new Paid(4), new Paid(5));
		assertThat(paging.readAll(0, 3).map(StoredEvent::payload)).containsExactly(new Paid(1), new Paid(2),
				new Paid(3));
		assertThat(paging.readAll(position, 100).map(StoredEvent::payload)).containsExactly(new Paid(4), new Paid(5));
	}

	@Test
	void fetchesPagesOnlyWhenTheyAreNeeded() {
		this.store.append(StreamId.of("A"), ExpectedVersion.any(),
				IntStream.range(0, 100).mapToObj(Paid::new).toList());
		EventStore paging = this.fixture.store(EventStoreSettings.defaults().withPageSize(10), EventFixture.TYPES);
		this.dataSource.statements().clear();
		try (Stream<StoredEvent> events = paging.read("A")) {
			assertThat(this.dataSource.statements()).isEmpty();
			assertThat(events.limit(15)).hasSize(15);
		}
		assertThat(this.dataSource.statements()).hasSize(2);
	}

	@Test
	void holdsNoConnectionWhileAStreamIsRead() {
		this.store.append(StreamId.of("A"), ExpectedVersion.any(), IntStream.range(0, 30).mapToObj(Paid::new).toList());
		try (HikariDataSource pool = this.database.createPool(1)) {
			EventStore paging = new JdbcEventStore(pool, EventFixture.SCHEMA,
					new EventCodec(EventFixture.TYPES, List.of(), EventFixture.JSON),
					EventStoreSettings.defaults().withPageSize(10), EventMetadataSource.NONE, null,
					EventObservations.NONE);
			List<Long> versions = new ArrayList<>();
			paging.read("A").forEach((event) -> versions.add(paging.info("A").version()));
			assertThat(versions).hasSize(30).containsOnly(30L);
		}
	}

	@Test
	void readsLargeEventsInSmallPages() {
		String large = "ä{\"\\".repeat(1_250_000);
		this.store.append("A", ExpectedVersion.any(), new Shipped(large), new Shipped("small"), new Shipped(large),
				new Shipped("small"));
		this.dataSource.statements().clear();
		assertThat(this.store.read("A").map((event) -> ((Shipped) event.payload()).text().length()))
			.containsExactly(large.length(), 5, large.length(), 5);
		assertThat(this.dataSource.statements()).as("pages").hasSize(3);
		assertThat(this.store.readBackwards("A").map(StoredEvent::version)).containsExactly(4L, 3L, 2L, 1L);
		assertThat(this.store.readAll(0, 4).map(StoredEvent::version)).containsExactly(1L, 2L, 3L, 4L);
	}

	@Test
	void tellsHowAStreamStands() {
		assertThat(this.store.info("A")).isEqualTo(StreamInfo.none(StreamId.of("A")));
		assertThat(this.store.info("A").exists()).isFalse();
		assertThat(this.store.read("A")).isEmpty();
		this.store.append("A", this.store.info("A").expected(), new Paid(1), new Paid(2));
		StreamInfo info = this.store.info("A");
		assertThat(info.exists()).isTrue();
		assertThat(info.version()).isEqualTo(2);
		assertThat(info.count()).isEqualTo(2);
		this.store.append("A", info.expected(), new Paid(3));
		assertThat(this.store.info("A").createdAt()).isEqualTo(info.createdAt());
		assertThat(this.store.info("A").appendedAt()).isAfter(info.appendedAt());
	}

	@Test
	void knowsAStreamByItsUuidAndByItsText() {
		UUID stream = UUID.randomUUID();
		this.store.append(StreamId.of(stream), ExpectedVersion.none(), List.of(new Paid(1)));
		this.store.append(stream.toString(), ExpectedVersion.exactly(1), new Paid(2));
		assertThat(this.store.readAll(0, 10).map(StoredEvent::stream)).containsExactly(StreamId.of(stream),
				StreamId.of(stream));
		assertThat(this.fixture.committed().queryForList("select stream_key from whizbang.wh_streams", String.class))
			.containsExactly((String) null);
	}

	@Test
	void takesCorrelationAndCausationFromTheMessageThatIsHandled() {
		MessageId cause = MessageId.next();
		Envelope message = new Envelope(cause, "orders", "Order", null, Map.of(HeaderNames.CORRELATION_ID, "c-1"), "{}",
				Instant.EPOCH);
		try (CurrentMessage.Scope scope = CurrentMessage.open(message)) {
			this.store.append("A", ExpectedVersion.any(), new Paid(1),
					NewEvent.of(new Paid(2)).with(EventMetadata.NONE.with(HeaderNames.CORRELATION_ID, "mine")));
		}
		this.store.append("A", ExpectedVersion.any(), new Paid(3));
		List<EventMetadata> metadata = this.store.read("A").map(StoredEvent::metadata).toList();
		assertThat(metadata.get(0).correlationId()).isEqualTo("c-1");
		assertThat(metadata.get(0).causationId()).isEqualTo(cause.toString());
		assertThat(metadata.get(1).correlationId()).isEqualTo("mine");
		assertThat(metadata.get(1).causationId()).isEqualTo(cause.toString());
		assertThat(metadata.get(2)).isEqualTo(EventMetadata.NONE);
	}

	@Test
	void takesTheUserFromTheApplication() {
		EventStore knowing = new JdbcEventStore(this.dataSource, EventFixture.SCHEMA,
				new EventCodec(EventFixture.TYPES, List.of(), EventFixture.JSON), EventStoreSettings.defaults(),
				() -> EventMetadata.ofUser("ada"), null, EventObservations.NONE);
		knowing.append("A", ExpectedVersion.any(), new Paid(1),
				NewEvent.of(new Paid(2)).with(EventMetadata.ofUser("bob")));
		assertThat(this.store.read("A").map((event) -> event.metadata().user())).containsExactly("ada", "bob");
	}

	@Test
	void appendsAlsoWithAPoolThatDoesNotCommitByItself() {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setDataSource(this.database.unpooledDataSource());
			pool.setAutoCommit(false);
			new EventFixture(this.database, pool).store.append("A", ExpectedVersion.any(), new Paid(1));
		}
		assertThat(this.fixture.versions("A")).containsExactly(1L);
	}

	@Test
	void refusesWhatCannotBeStored() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.append("A", ExpectedVersion.any()))
			.withMessageContaining("nothing to append to the stream \"A\"");
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.appendAll(List.of()))
			.withMessageContaining("nothing to append");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.store.append("x".repeat(1025), ExpectedVersion.any(), new Paid(1)))
			.withMessageContaining("has 1025 characters, more than 1024; shorten it");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.store.appendAll(List.of(StreamAppend.of("A", ExpectedVersion.any(), new Paid(1)),
					StreamAppend.of("A", ExpectedVersion.any(), new Paid(2)))))
			.withMessageContaining("The stream \"A\" is given twice");
		assertThatExceptionOfType(PayloadException.class)
			.isThrownBy(() -> this.store.append("A", ExpectedVersion.any(), new Paid(1), Broken.create()))
			.withMessageContaining("cannot be written as JSON");
		assertThatExceptionOfType(EventTypeException.class)
			.isThrownBy(() -> this.store.append("A", ExpectedVersion.any(), new Unnamed(1)))
			.withMessageContaining(Unnamed.class.getName())
			.withMessageContaining("@EventType(\"order-placed\")");
		assertThatIllegalArgumentException().isThrownBy(() -> EventMetadata.NONE.with("tenant", "a\0b"))
			.withMessageContaining("U+0000");
		assertThatIllegalArgumentException().isThrownBy(() -> EventMetadata.NONE.with("tenant", "x".repeat(17_000)))
			.withMessageContaining("more than 16384");
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.read(StreamId.of("A"), 0))
			.withMessageContaining("must be at least 1 but is 0");
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.readAll(0, 0))
			.withMessageContaining("must be at least 1 but is 0");
		assertThat(this.store.info("A").exists()).isFalse();
		assertThat(this.fixture.committed().queryForObject("select count(*) from whizbang.wh_events", Long.class))
			.isZero();
	}

}
