package io.whizbang.outbox;

import java.lang.reflect.Type;

import io.whizbang.message.CurrentMessage;
import io.whizbang.message.Envelope;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;

/**
 * Delivers messages to topic handlers.
 */
final class HandlerDelivery {

	private final MessageCodec codec;

	private final MessageObservations observations;

	HandlerDelivery(MessageCodec codec, MessageObservations observations) {
		this.codec = codec;
		this.observations = observations;
	}

	Outcome deliver(Destination.ToHandler destination, Work work, RetryPolicy retry) {
		if (retry.isExhausted(work.attempts())) {
			return Outcome.Dead.exhausted(work);
		}
		return this.observations.deliver(Queue.OUTBOX, work.envelope(), OutboxSettings.HANDLERS,
				() -> run(destination, work, retry));
	}

	private Outcome run(Destination.ToHandler destination, Work work, RetryPolicy retry) {
		try (CurrentMessage.Scope scope = CurrentMessage.open(work.envelope())) {
			handle(destination.handler(), destination.payloadType(), work.envelope());
			return Outcome.DONE;
		}
		catch (Exception ex) {
			if (ex instanceof InterruptedException) {
				// The worker stops: it decides what becomes of the thread.
				Thread.currentThread().interrupt();
			}
			this.observations.failed(ex);
			return retry.afterFailure(work.attempts(), ex);
		}
	}

	// A handler's payload type is its own type argument, and one of Void expects nothing.
	@SuppressWarnings({ "unchecked", "NullAway" })
	private <T extends @Nullable Object> void handle(TopicHandler<T> handler, Type payloadType, Envelope envelope)
			throws Exception {
		T payload = (payloadType != Void.class) ? (T) this.codec.read(envelope.payload(), payloadType) : null;
		handler.handle(payload, envelope);
	}

}
