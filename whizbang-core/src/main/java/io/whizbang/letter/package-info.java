/**
 * Dead letters of all features: what could not be delivered, handled or even read, until
 * somebody replays or discards it.
 */
@NullMarked
package io.whizbang.letter;

import org.jspecify.annotations.NullMarked;
