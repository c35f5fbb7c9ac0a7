/**
 * Names of metrics and spans, and the listener that records them.
 */
@NullMarked
package io.whizbang.observation;

import org.jspecify.annotations.NullMarked;
