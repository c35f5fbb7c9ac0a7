package io.whizbang.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.whizbang.letter.AuditEntry;
import org.jspecify.annotations.Nullable;

/**
 * What was decided about letters, as JSON.
 *
 * @param entries the decisions
 * @param next what the next page is before, or {@code null}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record AuditBody(List<Entry> entries, @Nullable Long next) {

	static AuditBody of(List<AuditEntry> entries, int limit) {
		Long next = (entries.size() == limit) ? entries.get(limit - 1).id() : null;
		return new AuditBody(entries.stream().map(Entry::of).toList(), next);
	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Entry(long id, String action, Instant at, String by, @Nullable String note, long letter, String queue,
			String source, @Nullable String messageId, @Nullable String topic, String reason, int attempts,
			@Nullable String error, Instant createdAt, Instant diedAt) {

		static Entry of(AuditEntry entry) {
			return new Entry(entry.id(), entry.action().name().toLowerCase(Locale.ROOT), entry.at(), entry.by().name(),
					entry.by().note(), entry.letterId(), entry.queue().label(), entry.source(),
					LettersBody.text(entry.messageId()), entry.topic(), entry.reason(), entry.attempts(), entry.error(),
					entry.createdAt(), entry.diedAt());
		}

	}

}
