package io.whizbang.transport;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Whether the other side of a transport can be reached, as far as the last try tells.
 *
 * @param transport name of the transport
 * @param unreachableFor how long it could not be reached, or {@code null} when it could
 * @param reason why, or {@code null}
 */
public record TransportStatus(String transport, @Nullable Duration unreachableFor, @Nullable String reason) {

	public boolean isReachable() {
		return this.unreachableFor == null;
	}

}
