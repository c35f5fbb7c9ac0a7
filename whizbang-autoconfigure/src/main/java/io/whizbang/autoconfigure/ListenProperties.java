package io.whizbang.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the announcements between instances.
 *
 * @param enabled Whether instances tell each other about new work over a database
 * connection of their own. Without it, work for another instance waits for its next poll.
 */
@ConfigurationProperties("whizbang.listen")
public record ListenProperties(@DefaultValue("true") boolean enabled) {
}
