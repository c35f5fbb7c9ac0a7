package io.whizbang.schema;

import java.time.Instant;

/**
 * A changelog that was installed.
 *
 * @param number how many came before it in this database, plus one
 * @param release the release of Whizbang that brought it
 * @param fingerprint hash of its files
 * @param installedAt when, by the database's clock
 */
public record SchemaVersion(int number, String release, String fingerprint, Instant installedAt) {
}
