package io.whizbang.transport.rabbit;

import java.io.IOException;

import com.rabbitmq.client.BlockedListener;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionListener;

/**
 * Knows whether the broker takes no messages because it is short of memory or disk. Who
 * publishes nevertheless waits for an answer that does not come.
 */
final class Blockage implements ConnectionListener, BlockedListener {

	private volatile @Nullable String reason;

	@Override
	public void onCreate(@Nullable Connection connection) {
		this.reason = null;
		if (connection != null) {
			connection.addBlockedListener(this);
		}
	}

	@Override
	public void onClose(Connection connection) {
		this.reason = null;
	}

	@Override
	public void handleBlocked(String reason) {
		this.reason = reason;
	}

	@Override
	public void handleUnblocked() {
		this.reason = null;
	}

	void check() throws IOException {
		String known = this.reason;
		if (known != null) {
			throw new IOException("RabbitMQ takes no messages at the moment: " + known);
		}
	}

}
