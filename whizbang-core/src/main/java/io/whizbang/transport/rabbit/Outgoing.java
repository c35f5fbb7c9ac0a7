package io.whizbang.transport.rabbit;

import io.whizbang.message.Envelope;
import io.whizbang.message.StreamId;
import io.whizbang.transport.SendResult;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way out, and what became of it. The broker's answers come on other
 * threads.
 */
final class Outgoing {

	final Envelope message;

	final Target target;

	private volatile @Nullable SendResult result;

	Outgoing(Envelope message, Target target) {
		this.message = message;
		this.target = target;
	}

	@Nullable StreamId stream() {
		return this.message.stream();
	}

	boolean isOpen() {
		return this.result == null;
	}

	boolean isSent() {
		SendResult known = this.result;
		return known != null && known.status() == SendResult.Status.SENT;
	}

	SendResult resultOr(SendResult ofOpen) {
		SendResult known = this.result;
		return (known != null) ? known : ofOpen;
	}

	/** The first answer counts: a message that was returned is confirmed as well. */
	void settle(SendResult answer) {
		if (this.result == null) {
			this.result = answer;
		}
	}

	void refuse(String why, @Nullable Throwable cause) {
		settle(SendResult
			.failed(new RabbitRefusedException("RabbitMQ did not take message %s to topic \"%s\", sent to %s: %s"
				.formatted(this.message.id(), this.message.topic(), this.target, why), cause)));
	}

}
