package io.whizbang.join;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * How far a join has come. What was reported a moment ago may not be counted yet.
 *
 * @param id its identity
 * @param key its name, or {@code null}
 * @param status how it stands
 * @param expected how many members it waits for, or {@code null} while that is not known
 * @param attached how many members it has
 * @param done how many of them are done
 * @param failed how many have failed
 * @param late how many reported when it was closed already; they are in neither count
 * @param metadata what it was started with
 * @param startedAt when it was started
 * @param deadline when it is closed in any case, or {@code null}
 * @param closedAt when it was closed, or {@code null}
 */
public record Join(JoinId id, @Nullable String key, JoinStatus status, @Nullable Integer expected, int attached,
		int done, int failed, int late, Map<String, String> metadata, Instant startedAt, @Nullable Instant deadline,
		@Nullable Instant closedAt) {

	/**
	 * Says whether it still waits.
	 * @return whether it does
	 */
	public boolean isOpen() {
		return this.status == JoinStatus.OPEN;
	}

}
