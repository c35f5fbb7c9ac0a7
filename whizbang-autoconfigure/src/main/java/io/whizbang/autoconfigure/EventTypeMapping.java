package io.whizbang.autoconfigure;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The class of an event type.
 *
 * @param type Class that events are read as.
 * @param version Version of what the class looks like.
 */
public record EventTypeMapping(Class<?> type, @DefaultValue("1") int version) {

}
