package io.whizbang.inbox;

import java.util.Set;

/**
 * Claims have gone to others while their messages were handled: the transaction must not
 * commit.
 */
final class ClaimLostException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient Set<Long> claims;

	ClaimLostException(Set<Long> claims) {
		super("Lost the claims " + claims);
		this.claims = claims;
	}

	boolean isLost(long claim) {
		return this.claims.contains(claim);
	}

}
