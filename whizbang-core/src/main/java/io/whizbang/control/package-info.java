/**
 * What operators see of all features together, and the switches that pause their workers.
 */
@NullMarked
package io.whizbang.control;

import org.jspecify.annotations.NullMarked;
