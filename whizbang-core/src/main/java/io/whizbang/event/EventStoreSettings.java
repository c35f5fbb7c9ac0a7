package io.whizbang.event;

import org.springframework.util.Assert;

/**
 * How the event store reads.
 *
 * @param pageSize how many events are fetched at once
 * @param pageBytes how large the payloads of a page may be together, unless it is a
 * single one
 */
public record EventStoreSettings(int pageSize, long pageBytes) {

	public EventStoreSettings {
		Assert.isTrue(pageSize >= 1, () -> "pageSize must be at least 1 but is %d".formatted(pageSize));
		Assert.isTrue(pageBytes >= 1, () -> "pageBytes must be at least 1 but is %d".formatted(pageBytes));
	}

	public static EventStoreSettings defaults() {
		return new EventStoreSettings(500, 4 * 1024 * 1024);
	}

	public EventStoreSettings withPageSize(int pageSize) {
		return new EventStoreSettings(pageSize, this.pageBytes);
	}

}
