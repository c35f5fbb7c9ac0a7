package io.whizbang.work;

import java.util.UUID;

/**
 * A batch of messages leased to one instance. The token proves the holder: a report with
 * a claim that the database no longer has changes nothing.
 *
 * @param id the claim's number
 * @param token random proof of possession
 */
public record Claim(long id, UUID token) {
}
