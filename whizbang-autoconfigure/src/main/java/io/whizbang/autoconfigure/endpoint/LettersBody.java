package io.whizbang.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.whizbang.letter.DeadLetterPage;
import io.whizbang.letter.DeadLetterSummary;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * A page of letters, as JSON.
 *
 * @param letters the letters
 * @param next what the next page is before, or {@code null}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LettersBody(List<Item> letters, @Nullable Long next) {

	static LettersBody of(DeadLetterPage page) {
		return new LettersBody(page.letters().stream().map(Item::of).toList(), page.next());
	}

	static @Nullable String text(@Nullable Object value) {
		return Objects.toString(value, null);
	}

	static @Nullable String key(@Nullable StreamId stream) {
		return (stream != null) ? stream.key() : null;
	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Item(long id, String queue, String source, String reason, int attempts, @Nullable String error,
			Instant diedAt, int replays, @Nullable String messageId, @Nullable String topic, @Nullable String type,
			@Nullable String stream) {

		static Item of(DeadLetterSummary letter) {
			return new Item(letter.id(), letter.queue().label(), letter.source(), letter.reason(), letter.attempts(),
					letter.error(), letter.diedAt(), letter.replays(), text(letter.messageId()), letter.topic(),
					letter.type(), key(letter.stream()));
		}

	}

}
