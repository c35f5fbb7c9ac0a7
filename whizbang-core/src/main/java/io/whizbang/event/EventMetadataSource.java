package io.whizbang.event;

/**
 * Knows something about all events that the current thread appends, such as the user who
 * is signed in. What an event itself says wins.
 */
@FunctionalInterface
public interface EventMetadataSource {

	/** Knows nothing. */
	EventMetadataSource NONE = () -> EventMetadata.NONE;

	/**
	 * Returns what is known now, on the thread that appends.
	 * @return the metadata
	 */
	EventMetadata current();

}
