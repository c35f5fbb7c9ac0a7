/**
 * What happened to orders; read models follow it.
 */
@NullMarked
package io.whizbang.sample.event;

import org.jspecify.annotations.NullMarked;
