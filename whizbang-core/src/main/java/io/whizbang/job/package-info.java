/**
 * Jobs: what runs at certain times, once for each time, on one of all instances.
 */
@NullMarked
package io.whizbang.job;

import org.jspecify.annotations.NullMarked;
