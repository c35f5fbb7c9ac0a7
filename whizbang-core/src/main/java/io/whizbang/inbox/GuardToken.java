package io.whizbang.inbox;

import java.util.UUID;

import io.whizbang.message.MessageId;

/**
 * Proves that a message is its holder's to handle.
 *
 * @param source where the message came from
 * @param id its identity
 * @param value the proof, another one for every holder
 */
public record GuardToken(String source, MessageId id, UUID value) {
}
