/**
 * What the application's handlers have in common: how they are found, called, and missed.
 */
@NullMarked
package io.whizbang.handler;

import org.jspecify.annotations.NullMarked;
