/**
 * The long version of the chaos test: instances are processes, and the database crashes
 * too.
 */
@NullMarked
package io.whizbang.benchmarks.chaos;

import org.jspecify.annotations.NullMarked;
