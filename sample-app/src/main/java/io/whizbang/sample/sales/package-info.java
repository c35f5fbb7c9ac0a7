/**
 * What the shop has earned, day by day.
 */
@NullMarked
package io.whizbang.sample.sales;

import org.jspecify.annotations.NullMarked;
