package io.whizbang.autoconfigure.endpoint;

import java.util.function.Supplier;

import io.whizbang.letter.Operator;
import io.whizbang.message.StreamId;
import io.whizbang.perspective.Perspectives;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.util.Assert;

/**
 * Endpoint that shows how perspectives stand, and lets operators rebuild, pause and mend
 * them.
 */
@WebEndpoint(id = "whizbangperspectives")
public final class PerspectivesEndpoint {

	private static final int CONFLICT = 409;

	private final Perspectives perspectives;

	public PerspectivesEndpoint(Perspectives perspectives) {
		this.perspectives = perspectives;
	}

	@ReadOperation
	public WebEndpointResponse<?> list() {
		return answer(() -> new PerspectivesBody(PerspectivesBody.runs(this.perspectives.status()), null));
	}

	@ReadOperation
	public WebEndpointResponse<?> show(@Selector String name, @Nullable String after, @Nullable String limit) {
		return answer(() -> new PerspectivesBody(PerspectivesBody.runs(this.perspectives.status(name)),
				PerspectivesBody.streams(this.perspectives.stopped(name, Input.stream(after), Input.limit(limit)))));
	}

	@WriteOperation
	public WebEndpointResponse<?> act(@Selector String name, @Selector String action, @Nullable String stream,
			@Nullable String version, @Nullable String who, @Nullable String note, SecurityContext security) {
		return answer(() -> {
			Operator by = Input.operator(who, note, security);
			act(name, action, stream, version, by);
			OperatorLog.changed(by, action, "perspective", name);
			return new PerspectivesBody(PerspectivesBody.runs(this.perspectives.status(name)), null);
		});
	}

	private void act(String name, String action, @Nullable String stream, @Nullable String version, Operator by) {
		switch (action) {
			case "rebuild" -> this.perspectives.rebuild(name);
			case "rebuild-beside" -> this.perspectives.rebuildBeside(name);
			case "pause" -> this.perspectives.pause(name);
			case "resume" -> this.perspectives.resume(name);
			case "replay" -> this.perspectives.replay(name, required(stream));
			case "retry" -> Assert.state(this.perspectives.retry(name, required(stream), by),
					() -> "The stream \"%s\" has not stopped in \"%s\"".formatted(stream, name));
			case "skip" -> {
				Assert.isTrue(version != null, "Say which event: give its version");
				Assert.state(this.perspectives.skip(name, required(stream), Input.version(version), by),
						() -> "The stream \"%s\" has not stopped at version %s in \"%s\"".formatted(stream, version,
								name));
			}
			default -> throw new IllegalArgumentException(
					"The action must be one of rebuild, rebuild-beside, pause, resume, replay, retry and skip but is '%s'"
						.formatted(action));
		}
	}

	private static StreamId required(@Nullable String stream) {
		Assert.isTrue(stream != null && !stream.isBlank(), "Say which stream: give its key");
		return StreamId.of(stream);
	}

	private static WebEndpointResponse<?> answer(Supplier<PerspectivesBody> operation) {
		return DeadLettersEndpoint.answer(() -> {
			try {
				return new WebEndpointResponse<>(operation.get());
			}
			catch (IllegalStateException | UnsupportedOperationException ex) {
				return new WebEndpointResponse<>(new Problem(String.valueOf(ex.getMessage())), CONFLICT);
			}
		});
	}

}
