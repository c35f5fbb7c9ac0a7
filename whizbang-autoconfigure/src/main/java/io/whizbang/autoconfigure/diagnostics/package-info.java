/**
 * Says what to do when an application with Whizbang cannot start.
 */
@NullMarked
package io.whizbang.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
