/**
 * Leases: names that at most one holder has at a time, over all instances.
 */
@NullMarked
package io.whizbang.lease;

import org.jspecify.annotations.NullMarked;
