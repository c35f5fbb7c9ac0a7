package io.whizbang.lease;

import java.time.Instant;

/**
 * Who has a lease, by the database's clock.
 *
 * @param name what is leased
 * @param token the fencing token
 * @param holder the instance, as in {@code shop@host:4711}
 * @param acquiredAt when it got the lease
 * @param renewedAt when it renewed the lease last
 * @param expiresAt when the lease ends unless it is renewed
 */
public record LeaseHolder(String name, long token, String holder, Instant acquiredAt, Instant renewedAt,
		Instant expiresAt) {
}
