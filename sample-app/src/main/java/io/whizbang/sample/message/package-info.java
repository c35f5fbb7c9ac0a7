/**
 * What the parts of the shop tell each other.
 */
@NullMarked
package io.whizbang.sample.message;

import org.jspecify.annotations.NullMarked;
