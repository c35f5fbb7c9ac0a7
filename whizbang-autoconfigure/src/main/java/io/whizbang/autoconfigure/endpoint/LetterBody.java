package io.whizbang.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.whizbang.letter.DeadLetter;
import io.whizbang.message.Envelope;
import org.jspecify.annotations.Nullable;

/**
 * A letter, as JSON; its raw bytes come as Base64.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LetterBody(long id, String queue, String source, String reason, int attempts, @Nullable String error,
		Instant diedAt, @Nullable Instant createdAt, @Nullable String instance, @Nullable String messageId,
		@Nullable String topic, @Nullable String type, @Nullable String stream, Map<String, String> headers,
		@Nullable String payload, byte @Nullable [] raw, List<AuditBody.Entry> history) {

	static LetterBody of(DeadLetter letter) {
		Envelope message = letter.message();
		String instance = LettersBody.text(letter.instance());
		List<AuditBody.Entry> history = letter.history().stream().map(AuditBody.Entry::of).toList();
		if (message == null) {
			return new LetterBody(letter.id(), letter.queue().label(), letter.source(), letter.reason(),
					letter.attempts(), letter.error(), letter.diedAt(), null, instance, null, null, null, null,
					letter.headers(), null, letter.raw(), history);
		}
		return new LetterBody(letter.id(), letter.queue().label(), letter.source(), letter.reason(), letter.attempts(),
				letter.error(), letter.diedAt(), message.createdAt(), instance, message.id().toString(),
				message.topic(), message.type(), LettersBody.key(message.stream()), letter.headers(), message.payload(),
				null, history);
	}

}
