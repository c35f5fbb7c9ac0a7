/**
 * Says how Whizbang is.
 */
@NullMarked
package io.whizbang.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
