package io.whizbang.event;

import java.util.List;
import java.util.stream.IntStream;

import io.whizbang.event.EventFixture.Paid;
import io.whizbang.message.StreamId;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.dao.ConcurrencyFailureException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@PostgresTest
class ExpectedVersionTests {

	private final EventFixture fixture;

	private final EventStore store;

	ExpectedVersionTests(PostgresDatabase database) {
		this.fixture = new EventFixture(database, database.dataSource());
		this.store = this.fixture.store;
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			0, any,  true
			0, none, true
			0, 1,    false
			0, 7,    false
			1, any,  true
			1, none, false
			1, 1,    true
			1, 2,    false
			3, any,  true
			3, none, false
			3, 2,    false
			3, 3,    true
			3, 4,    false
			""")
	void decidesWhetherEventsAreAppended(int before, String expected, boolean succeeds) {
		for (Way way : Way.values()) {
			String stream = "%d-%s-%s".formatted(before, expected, way);
			if (before > 0) {
				this.store.append(StreamId.of(stream), ExpectedVersion.none(), events(before));
			}
			if (succeeds) {
				Appended appended = append(stream, version(expected), way);
				assertThat(appended.firstVersion()).isEqualTo(before + 1L);
				assertThat(this.fixture.versions(stream)).hasSize(before + way.events)
					.last()
					.isEqualTo(appended.lastVersion());
				assertThat(this.fixture.standing(stream)).containsExactly((long) before + way.events);
			}
			else {
				assertThatExceptionOfType(OptimisticConcurrencyException.class)
					.isThrownBy(() -> append(stream, version(expected), way))
					.satisfies((conflict) -> {
						assertThat(conflict.stream()).isEqualTo(StreamId.of(stream));
						assertThat(conflict.expected()).isEqualTo(version(expected));
						assertThat(conflict.found()).isEqualTo(before);
					});
				assertThat(this.fixture.versions(stream)).hasSize(before);
				assertThat(this.store.info(stream).version()).isEqualTo(before);
				assertThat(this.fixture.standing(stream)).hasSize((before > 0) ? 1 : 0);
			}
		}
	}

	@Test
	void namesStreamExpectedAndFound() {
		this.store.append("order 1", ExpectedVersion.none(), new Paid(1), new Paid(2));
		assertThatExceptionOfType(ConcurrencyFailureException.class)
			.isThrownBy(() -> this.store.append("order 1", ExpectedVersion.none(), new Paid(3)))
			.withMessageContaining("\"order 1\": expected no stream, found version 2")
			.withMessageContaining("read it again");
		assertThatExceptionOfType(ConcurrencyFailureException.class)
			.isThrownBy(() -> this.store.append("order 2", ExpectedVersion.exactly(5), new Paid(3)))
			.withMessageContaining("\"order 2\": expected version 5, found no stream");
	}

	@Test
	void isNotNegative() {
		assertThatIllegalArgumentException().isThrownBy(() -> ExpectedVersion.exactly(-1))
			.withMessageContaining("at least 0 but is -1");
		assertThat(ExpectedVersion.exactly(0)).isEqualTo(ExpectedVersion.none());
	}

	private Appended append(String stream, ExpectedVersion expected, Way way) {
		StreamAppend append = StreamAppend.of(StreamId.of(stream), expected, events(way.events));
		return (way == Way.BESIDE_ANOTHER_STREAM)
				? this.store.appendAll(List.of(StreamAppend.of("beside", ExpectedVersion.any(), new Paid(0)), append))
					.get(1)
				: this.store.appendAll(List.of(append)).get(0);
	}

	private static List<Paid> events(int count) {
		return IntStream.range(0, count).mapToObj(Paid::new).toList();
	}

	private static ExpectedVersion version(String expected) {
		return switch (expected) {
			case "any" -> ExpectedVersion.any();
			case "none" -> ExpectedVersion.none();
			default -> ExpectedVersion.exactly(Long.parseLong(expected));
		};
	}

	/** Each is another statement. */
	private enum Way {

		ONE_EVENT(1), SEVERAL_EVENTS(2), BESIDE_ANOTHER_STREAM(2);

		private final int events;

		Way(int events) {
			this.events = events;
		}

	}

}
