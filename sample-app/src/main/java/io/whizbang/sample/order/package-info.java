/**
 * Taking orders, and confirming them once they are committed.
 */
@NullMarked
package io.whizbang.sample.order;

import org.jspecify.annotations.NullMarked;
