package io.whizbang.inbox;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.UUID;

import javax.sql.DataSource;

import io.whizbang.coordinator.JdbcCalls;
import io.whizbang.inbox.GuardAnswer.Status;
import io.whizbang.message.LogText;
import io.whizbang.message.MessageId;
import io.whizbang.message.MessageLimits;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Guard in the application's own database.
 */
public final class JdbcInboxGuard implements InboxGuard {

	private static final Logger logger = LoggerFactory.getLogger(JdbcInboxGuard.class);

	private static final int DONE = 0;

	private static final int FAILED = 2;

	private static final int DEAD = 3;

	private static final int MAX_HASH = 64;

	private final JdbcCalls calls;

	private final @Nullable Duration retention;

	private final WorkListener listener;

	/**
	 * Creates a guard.
	 * @param dataSource the database, the same that the application's transactions use
	 * @param schema the schema that Whizbang is installed in
	 * @param settings how long it remembers
	 * @param listener hears what arrives
	 */
	public JdbcInboxGuard(DataSource dataSource, String schema, InboxSettings settings, WorkListener listener) {
		this.calls = new JdbcCalls(dataSource, schema, InboxSettings.CALL_TIMEOUT_SECONDS);
		this.retention = settings.retention();
		this.listener = listener;
	}

	@Override
	public GuardAnswer begin(String source, String id, byte[] contentHash, Duration lease) {
		MessageLimits.checkName("source", source);
		MessageLimits.checkKey("id", id);
		Assert.isTrue(contentHash.length > 0 && contentHash.length <= MAX_HASH,
				() -> "A content hash must have 1 to %d bytes but has %d".formatted(MAX_HASH, contentHash.length));
		Assert.isTrue(!lease.isNegative() && !lease.isZero(), () -> "A lease must be above 0 but is " + lease);
		MessageId messageId = MessageId.of(id);
		GuardAnswer answer = this.calls
			.within("begin_guarded(?, ?, ?, ?, ?)",
					(arguments) -> arguments.text(source)
						.other(messageId.value())
						.bytes(contentHash)
						.number(lease.toMillis())
						.number((this.retention != null) ? this.retention.toMillis() : null),
					(row) -> answer(row, source, messageId, contentHash))
			.get(0);
		tell(answer.status());
		return answer;
	}

	private static GuardAnswer answer(ResultSet row, String source, MessageId id, byte[] hash) throws SQLException {
		Status status = Status.valueOf(row.getString("answer"));
		UUID token = row.getObject("token", UUID.class);
		if (status == Status.CONFLICT) {
			logger.warn(
					"Message {} from {} is refused: another one with this identity was seen before, with "
							+ "content hash {} instead of {}",
					id, LogText.of(source), hex(row.getBytes("known_hash")), hex(hash));
		}
		return new GuardAnswer(status, (token != null) ? new GuardToken(source, id, token) : null);
	}

	private void tell(Status status) {
		switch (status) {
			case NEW -> this.listener.received(Queue.INBOX, 1, 0, 0);
			case CONFLICT -> this.listener.received(Queue.INBOX, 0, 0, 1);
			default -> this.listener.received(Queue.INBOX, 0, 1, 0);
		}
	}

	@Override
	public void complete(GuardToken token) {
		end(token, DONE, null);
	}

	@Override
	public void fail(GuardToken token, String error) {
		end(token, FAILED, error);
	}

	@Override
	public void dead(GuardToken token, String reason) {
		end(token, DEAD, reason);
	}

	private void end(GuardToken token, int status, @Nullable String error) {
		boolean held = this.calls
			.within("end_guarded(?, ?, ?, ?::smallint, ?)",
					(arguments) -> arguments.text(token.source())
						.other(token.id().value())
						.other(token.value())
						.count(status)
						.text((error != null) ? error.replace("\0", "") : null),
					(row) -> row.getBoolean(1))
			.get(0);
		if (!held) {
			throw new GuardLostException(
					"Message %s from %s is not the caller's any more: its lease has ended and another caller got it, "
						.formatted(token.id(), token.source())
							+ "or it was ended before. Roll back what was done for it");
		}
	}

	private static String hex(byte[] hash) {
		return HexFormat.of().formatHex(hash);
	}

}
