package io.whizbang.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;

import io.whizbang.lease.LeaseHolder;

/**
 * Leases and who has them.
 *
 * @param leases the leases, in the order of their names
 */
record LeasesBody(List<Entry> leases) {

	static LeasesBody of(List<LeaseHolder> holders) {
		return new LeasesBody(holders.stream().map(Entry::of).toList());
	}

	record Entry(String name, long token, String holder, Instant acquiredAt, Instant renewedAt, Instant expiresAt) {

		static Entry of(LeaseHolder holder) {
			return new Entry(holder.name(), holder.token(), holder.holder(), holder.acquiredAt(), holder.renewedAt(),
					holder.expiresAt());
		}

	}

}
