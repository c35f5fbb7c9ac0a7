package io.whizbang.autoconfigure.endpoint;

import io.whizbang.letter.DeadLetters;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * Endpoint that tells who replayed and discarded dead letters.
 */
@WebEndpoint(id = "whizbangdeadletteraudit")
public final class DeadLetterAuditEndpoint {

	private final DeadLetters letters;

	public DeadLetterAuditEndpoint(DeadLetters letters) {
		this.letters = letters;
	}

	@ReadOperation
	public WebEndpointResponse<?> list(@Nullable String messageId, @Nullable String before, @Nullable String limit) {
		return DeadLettersEndpoint.answer(() -> {
			int size = Input.limit(limit);
			return new WebEndpointResponse<>(
					AuditBody.of(this.letters.audit(Input.messageId(messageId), Input.before(before), size), size));
		});
	}

}
