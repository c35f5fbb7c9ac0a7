package io.whizbang.timer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.whizbang.message.InheritedHeaders;
import io.whizbang.message.MessageCodec;

/**
 * Timers that are scheduled together. Of those with the same key one is written, because
 * a statement cannot write a row twice.
 */
final class EncodedTimers {

	private final List<EncodedTimer> all = new ArrayList<>();

	EncodedTimers(Collection<NewTimer> timers, InheritedHeaders inherited, MessageCodec codec) {
		for (NewTimer timer : timers) {
			this.all.add(new EncodedTimer(TimerId.next(), timer, inherited.and(timer.headers()),
					codec.write(timer.payload())));
		}
	}

	/** Those to write. */
	List<EncodedTimer> lastOfEachKey() {
		Map<String, EncodedTimer> byKey = new HashMap<>();
		for (EncodedTimer timer : this.all) {
			String key = timer.timer().key();
			if (key != null) {
				EncodedTimer earlier = byKey.get(key);
				byKey.put(key, (earlier != null && timer.timer().keepExisting()) ? earlier : timer);
			}
		}
		Set<TimerId> chosen = byKey.values().stream().map(EncodedTimer::id).collect(Collectors.toSet());
		return this.all.stream().filter((timer) -> timer.timer().key() == null || chosen.contains(timer.id())).toList();
	}

	/**
	 * Returns the identities of all, in their order.
	 * @param written what the database says of those that were to be written
	 * @return the identities; of the existing timer where that is kept
	 */
	List<TimerId> ids(Collection<ChangedTimer> written) {
		Map<String, TimerId> kept = new HashMap<>();
		written.forEach((timer) -> {
			if (timer.key() != null) {
				kept.put(timer.key(), timer.id());
			}
		});
		return this.all.stream().map((timer) -> idOf(timer, kept)).toList();
	}

	private static TimerId idOf(EncodedTimer encoded, Map<String, TimerId> kept) {
		TimerId existing = encoded.timer().keepExisting() ? kept.get(encoded.timer().key()) : null;
		return (existing != null) ? existing : encoded.id();
	}

}
