/**
 * Keeps the two builds, the README and the check in step.
 */
@NullMarked
package io.whizbang.build;

import org.jspecify.annotations.NullMarked;
