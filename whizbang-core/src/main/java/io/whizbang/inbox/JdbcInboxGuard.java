package io.whizbang.inbox;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.HexFormat;
import java.util.UUID;

import javax.sql.DataSource;

import io.whizbang.inbox.GuardAnswer.Status;
import io.whizbang.inbox.JdbcStatements.Arguments;
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

	private final JdbcStatements statements;

	private final String begin;

	private final String end;

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
		this.statements = new JdbcStatements(dataSource);
		this.begin = "select answer, token, known_hash from %s.begin_guarded(?, ?, ?, ?, ?)".formatted(schema);
		this.end = "select %s.end_guarded(?, ?, ?, ?::smallint, ?)".formatted(schema);
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
		GuardAnswer answer = this.statements.run("Begin a guarded message", this.begin, (arguments) -> {
			arguments.add(source, Types.VARCHAR)
				.add(messageId.value(), Types.OTHER)
				.add(contentHash, Types.BINARY)
				.add(lease.toMillis(), Types.BIGINT)
				.add((this.retention != null) ? this.retention.toMillis() : null, Types.BIGINT);
			return answer(arguments, source, messageId, contentHash);
		});
		tell(answer.status());
		return answer;
	}

	private static GuardAnswer answer(Arguments arguments, String source, MessageId id, byte[] hash)
			throws SQLException {
		try (ResultSet row = arguments.statement().executeQuery()) {
			row.next();
			Status status = Status.valueOf(row.getString(1));
			UUID token = row.getObject(2, UUID.class);
			if (status == Status.CONFLICT) {
				logger.warn("Message {} from {} is refused: another one with this identity was seen before, with "
						+ "content hash {} instead of {}", id, source, hex(row.getBytes(3)), hex(hash));
			}
			return new GuardAnswer(status, (token != null) ? new GuardToken(source, id, token) : null);
		}
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
		boolean held = this.statements.run("End a guarded message", this.end, (arguments) -> {
			arguments.add(token.source(), Types.VARCHAR)
				.add(token.id().value(), Types.OTHER)
				.add(token.value(), Types.OTHER)
				.add(status, Types.INTEGER)
				.add((error != null) ? error.replace("\0", "") : null, Types.VARCHAR);
			try (ResultSet row = arguments.statement().executeQuery()) {
				row.next();
				return row.getBoolean(1);
			}
		});
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
