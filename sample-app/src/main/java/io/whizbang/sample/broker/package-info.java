/**
 * What the shop needs at a broker, where it has one.
 */
@NullMarked
package io.whizbang.sample.broker;

import org.jspecify.annotations.NullMarked;
