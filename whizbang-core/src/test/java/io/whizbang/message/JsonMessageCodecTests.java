package io.whizbang.message;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.ParameterizedTypeReference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class JsonMessageCodecTests {

	private final MessageCodec codec = new JsonMessageCodec(JsonMapper.shared());

	@Test
	void writesAndReadsRecords() {
		Order order = new Order("1", List.of(new Line("pen \0 \u2028 😀", 2)));
		assertThat(this.codec.read(this.codec.write(order), Order.class)).isEqualTo(order);
	}

	@Test
	void readsTypesWithArguments() {
		Type type = new ParameterizedTypeReference<List<Line>>() {
		}.getType();
		assertThat(this.codec.read("[{\"name\":\"pen\",\"count\":2}]", type)).isEqualTo(List.of(new Line("pen", 2)));
	}

	@Test
	void tellsWhichPropertyCannotBeWrittenAndWhatToDo() {
		assertThatExceptionOfType(PayloadException.class)
			.isThrownBy(() -> this.codec.write(Map.of("parts", List.of("fine", new Broken()))))
			.withMessageContaining("java.util.ImmutableCollections$Map1")
			.withMessageContaining("\"parts[1].value\"")
			.withMessageContaining("not today")
			.withMessageContaining("Enqueue a type that Jackson can write");
	}

	@Test
	void refusesAPayloadThatContainsItself() {
		Node node = new Node();
		node.next = node;
		assertThatExceptionOfType(PayloadException.class).isThrownBy(() -> this.codec.write(node))
			.satisfies((failure) -> assertThat(failure.getMessage()).hasSizeLessThan(1_000));
	}

	/** Else it would arrive empty, and nobody would know. */
	@Test
	void refusesAPayloadOfWhichJacksonSeesNothing() {
		assertThatExceptionOfType(PayloadException.class).isThrownBy(() -> this.codec.write(new Hidden()))
			.withMessageContaining(Hidden.class.getName())
			.withMessageContaining("nothing of it")
			.withMessageContaining("record");
	}

	@Test
	void writesAPayloadThatHasNothingToSay() {
		MessageCodec sparing = new JsonMessageCodec(JsonMapper.builder()
			.changeDefaultPropertyInclusion((defaults) -> defaults.withValueInclusion(Include.NON_NULL))
			.build());
		assertThat(this.codec.write(new Ping())).isEqualTo("{}");
		assertThat(this.codec.write(Map.of())).isEqualTo("{}");
		assertThat(sparing.write(new Node())).isEqualTo("{}");
	}

	@Test
	void tellsWhichPropertyCannotBeReadButNotItsValue() {
		assertThatExceptionOfType(PayloadException.class)
			.isThrownBy(() -> this.codec.read("{\"id\":\"1\",\"lines\":[{\"name\":\"pen\",\"count\":\"secret\"}]}",
					Order.class))
			.withMessageContaining(Order.class.getName())
			.withMessageContaining("\"lines[0].count\"")
			.withMessageNotContaining("secret");
	}

	@Test
	void refusesTheValueNull() {
		assertThatExceptionOfType(PayloadException.class).isThrownBy(() -> this.codec.read("null", Order.class))
			.withMessageContaining("null");
	}

	record Order(String id, List<Line> lines) {

	}

	record Line(String name, int count) {

	}

	record Ping() {

	}

	static final class Hidden {

		final String id = "1";

	}

	static final class Broken {

		public String getValue() {
			throw new UnsupportedOperationException("not today");
		}

	}

	static final class Node {

		private Node next;

		public Node getNext() {
			return this.next;
		}

	}

}
