/**
 * Turns properties and the application's beans into a running Whizbang.
 */
@NullMarked
package io.whizbang.autoconfigure;

import org.jspecify.annotations.NullMarked;
