package io.whizbang.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.whizbang.control.BlockedStream;
import io.whizbang.control.JdbcControl;
import org.jspecify.annotations.Nullable;

/**
 * Streams that do not move, as JSON.
 *
 * @param streams the streams
 * @param next what the next page is after, or {@code null}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record BlockedBody(List<Stream> streams, @Nullable String next) {

	private static final String SEPARATOR = "_";

	static BlockedBody of(List<BlockedStream> streams, int limit) {
		BlockedStream last = (streams.size() == limit) ? streams.get(limit - 1) : null;
		return new BlockedBody(streams.stream().map(Stream::of).toList(),
				(last != null) ? last.due() + SEPARATOR + last.seq() : null);
	}

	static JdbcControl.@Nullable Place place(@Nullable String after) {
		if (after == null) {
			return null;
		}
		try {
			String[] parts = after.split(SEPARATOR, 2);
			return new JdbcControl.Place(Instant.parse(parts[0]), Long.parseLong(parts[1]));
		}
		catch (RuntimeException ex) {
			throw new IllegalArgumentException(
					"The parameter after must be what next was on the page before but is '%s'".formatted(after), ex);
		}
	}

	/**
	 * A stream that does not move.
	 *
	 * @param queue its queue
	 * @param stream its key
	 * @param reason why it does not move
	 * @param messageId identity of its first message
	 * @param topic its topic
	 * @param type its type
	 * @param attempts how often it has failed
	 * @param error why it failed last
	 * @param createdAt when it was enqueued
	 * @param nextAttemptAt when it may be tried again
	 * @param behind how many wait behind it, counted up to 1000
	 * @param holder who has it in work
	 * @param leaseExpiry until when
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Stream(String queue, @Nullable String stream, String reason, String messageId, String topic, String type,
			int attempts, @Nullable String error, Instant createdAt, Instant nextAttemptAt, int behind,
			@Nullable String holder, @Nullable Instant leaseExpiry) {

		static Stream of(BlockedStream blocked) {
			BlockedStream.Holder holder = blocked.holder();
			return new Stream(blocked.queue().label(), blocked.stream(),
					blocked.reason().name().toLowerCase(Locale.ROOT).replace('_', '-'), blocked.messageId().toString(),
					blocked.topic(), blocked.type(), blocked.attempts(), blocked.error(), blocked.createdAt(),
					blocked.due(), blocked.behind(), (holder != null) ? name(holder) : null,
					(holder != null) ? holder.leaseExpiry() : null);
		}

		private static String name(BlockedStream.Holder holder) {
			String process = holder.process();
			return (process != null) ? process : holder.instance().toString();
		}

	}

}
