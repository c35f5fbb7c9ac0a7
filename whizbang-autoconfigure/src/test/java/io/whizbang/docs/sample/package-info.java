/**
 * What the documentation shows.
 */
@NullMarked
package io.whizbang.docs.sample;

import org.jspecify.annotations.NullMarked;
