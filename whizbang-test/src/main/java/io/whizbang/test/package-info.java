/**
 * What tests of applications that use Whizbang need: a database, a worker driven by hand,
 * a clock that can be set, a transport that remembers.
 */
@NullMarked
package io.whizbang.test;

import org.jspecify.annotations.NullMarked;
