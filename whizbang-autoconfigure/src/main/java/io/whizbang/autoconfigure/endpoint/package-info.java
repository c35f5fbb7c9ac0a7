/**
 * What operators can see and do.
 */
@NullMarked
package io.whizbang.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
