/**
 * A browser for tests of pages, driven in its own protocol.
 */
@NullMarked
package io.whizbang.test.browser;

import org.jspecify.annotations.NullMarked;
