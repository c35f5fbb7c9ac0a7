package io.whizbang.autoconfigure.endpoint;

import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;

import io.whizbang.letter.DeadLetter;
import io.whizbang.letter.DeadLetterFilter;
import io.whizbang.letter.DeadLetters;
import io.whizbang.letter.Decision;
import io.whizbang.letter.Operator;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.dao.DataAccessException;
import org.springframework.util.Assert;

/**
 * Endpoint to list, show, replay and discard dead letters. Reading is a GET, replaying a
 * POST, discarding a DELETE.
 */
@WebEndpoint(id = "whizbangdeadletters")
public final class DeadLettersEndpoint {

	private static final int CONFLICT = 409;

	/** Class of the database's errors about values that it cannot read. */
	private static final String DATA_EXCEPTION = "22";

	private final DeadLetters letters;

	public DeadLettersEndpoint(DeadLetters letters) {
		this.letters = letters;
	}

	@ReadOperation
	public WebEndpointResponse<?> list(@Nullable String queue, @Nullable String source, @Nullable String reason,
			@Nullable String topic, @Nullable String type, @Nullable String stream, @Nullable String messageId,
			@Nullable String from, @Nullable String until, @Nullable String before, @Nullable String limit) {
		return answer(() -> {
			DeadLetterFilter filter = new DeadLetterFilter(Input.queue(queue), source, reason, topic, type,
					Input.stream(stream), Input.messageId(messageId), Input.time("from", from),
					Input.time("until", until));
			return ok(LettersBody.of(this.letters.list(filter, Input.before(before), Input.limit(limit))));
		});
	}

	@ReadOperation
	public WebEndpointResponse<?> show(@Selector String id) {
		return answer(() -> {
			long number = Input.letter(id);
			DeadLetter letter = this.letters.find(number);
			return (letter != null) ? ok(LetterBody.of(letter)) : absent(number);
		});
	}

	@WriteOperation
	public WebEndpointResponse<?> replay(@Selector String id, @Nullable String who, @Nullable String note,
			SecurityContext security) {
		return answer(
				() -> one("replayed", id, this.letters.replay(Input.letter(id), Input.operator(who, note, security))));
	}

	@WriteOperation
	public WebEndpointResponse<?> replayMany(@Nullable String ids, @Nullable String reason, @Nullable String queue,
			@Nullable String topic, @Nullable String source, @Nullable String who, @Nullable String note,
			SecurityContext security) {
		return answer(() -> {
			Operator by = Input.operator(who, note, security);
			if (ids != null) {
				return ok(DecisionBody.of("replayed", this.letters.replay(numbers(ids, reason), by)));
			}
			return ok(DecisionBody.of("replayed", this.letters.replayAll(allOf(reason, queue, topic, source), by)));
		});
	}

	@DeleteOperation
	public WebEndpointResponse<?> discard(@Selector String id, @Nullable String who, @Nullable String note,
			SecurityContext security) {
		return answer(() -> one("discarded", id,
				this.letters.discard(Input.letter(id), Input.operator(who, note, security))));
	}

	@DeleteOperation
	public WebEndpointResponse<?> discardMany(@Nullable String ids, @Nullable String reason, @Nullable String queue,
			@Nullable String topic, @Nullable String source, @Nullable String who, @Nullable String note,
			SecurityContext security) {
		return answer(() -> {
			Operator by = Input.operator(who, note, security);
			if (ids != null) {
				return ok(DecisionBody.of("discarded", this.letters.discard(numbers(ids, reason), by)));
			}
			return ok(DecisionBody.of("discarded", this.letters.discardAll(allOf(reason, queue, topic, source), by)));
		});
	}

	private static List<Long> numbers(String ids, @Nullable String reason) {
		Assert.isTrue(reason == null, "Give either ids or a reason, not both");
		return Input.letters(ids);
	}

	/** Nobody decides about all letters because of a misspelt parameter. */
	private static DeadLetterFilter allOf(@Nullable String reason, @Nullable String queue, @Nullable String topic,
			@Nullable String source) {
		Assert.isTrue(reason != null && !reason.isBlank(), "Say which letters: give ids, or a reason");
		return new DeadLetterFilter(Input.queue(queue), source, reason, topic, null, null, null, null, null);
	}

	private static WebEndpointResponse<?> one(String action, String id, Decision decision) {
		if (!decision.raw().isEmpty()) {
			return new WebEndpointResponse<>(new Problem(
					"Dead letter %s cannot be replayed, because it never was a message; have its source send it again, or discard it"
						.formatted(id)),
					CONFLICT);
		}
		return decision.absent().isEmpty() ? ok(DecisionBody.of(action, decision)) : absent(Input.letter(id));
	}

	private static WebEndpointResponse<?> ok(Object body) {
		return new WebEndpointResponse<>(body);
	}

	private static WebEndpointResponse<?> absent(long id) {
		return new WebEndpointResponse<>(
				new Problem("There is no dead letter %d; it was replayed or discarded, or never there".formatted(id)),
				WebEndpointResponse.STATUS_NOT_FOUND);
	}

	static WebEndpointResponse<?> answer(Supplier<WebEndpointResponse<?>> operation) {
		try {
			return operation.get();
		}
		catch (IllegalArgumentException ex) {
			return refused(String.valueOf(ex.getMessage()));
		}
		catch (DataAccessException ex) {
			if (ex.getMostSpecificCause() instanceof SQLException sql
					&& String.valueOf(sql.getSQLState()).startsWith(DATA_EXCEPTION)) {
				return refused(
						"A parameter is nothing that the database can look for; is there a character U+0000 in it, "
								+ "or a time that is too far away?");
			}
			throw ex;
		}
	}

	private static WebEndpointResponse<?> refused(String why) {
		return new WebEndpointResponse<>(new Problem(why), WebEndpointResponse.STATUS_BAD_REQUEST);
	}

}
