/**
 * A page for operators, on top of the endpoints.
 */
@NullMarked
package io.whizbang.autoconfigure.dashboard;

import org.jspecify.annotations.NullMarked;
