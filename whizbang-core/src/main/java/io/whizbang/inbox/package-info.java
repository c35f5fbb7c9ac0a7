/**
 * Receive once, handle once: de-duplicated messages and their receptors.
 */
@NullMarked
package io.whizbang.inbox;

import org.jspecify.annotations.NullMarked;
