package io.whizbang.transport;

import org.jspecify.annotations.Nullable;

/**
 * What a receiver knows of a message before it has read it.
 *
 * @param topic what it is about, for the application
 * @param id identity when it has none of its own, the same in every delivery, or
 * {@code null} when the broker knows of none
 * @param stream ordering key when it has none of its own, or {@code null}
 */
public record EventDefaults(String topic, @Nullable String id, @Nullable String stream) {

}
