/**
 * Load runs and comparisons, measured side by side on one PostgreSQL.
 */
@NullMarked
package io.whizbang.benchmarks;

import org.jspecify.annotations.NullMarked;
