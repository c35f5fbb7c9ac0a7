/**
 * The one round trip to PostgreSQL that reports results and claims work.
 */
@NullMarked
package io.whizbang.coordinator;

import org.jspecify.annotations.NullMarked;
