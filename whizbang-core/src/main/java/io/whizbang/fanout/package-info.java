/**
 * Fan-outs: work that is due for many shards again and again, cut into slices.
 */
@NullMarked
package io.whizbang.fanout;

import org.jspecify.annotations.NullMarked;
