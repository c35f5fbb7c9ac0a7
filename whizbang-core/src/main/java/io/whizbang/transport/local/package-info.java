/**
 * Delivery inside of the application.
 */
@NullMarked
package io.whizbang.transport.local;

import org.jspecify.annotations.NullMarked;
