/**
 * Whizbang beside its peers: the same work on one PostgreSQL, each in a virtual machine
 * of its own.
 */
@NullMarked
package io.whizbang.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
