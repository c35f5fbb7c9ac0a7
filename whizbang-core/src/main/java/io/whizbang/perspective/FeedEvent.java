package io.whizbang.perspective;

import io.whizbang.event.RawEvent;
import org.jspecify.annotations.Nullable;

/**
 * An event of the feed.
 *
 * @param event the event; without payload and metadata where nobody wants them
 * @param mark where its stream stands, or {@code null} when it has no checkpoint
 */
record FeedEvent(RawEvent event, @Nullable StreamMark mark) {

}
