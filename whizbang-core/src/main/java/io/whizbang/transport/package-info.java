/**
 * The port to brokers and other ways out of the application.
 */
@NullMarked
package io.whizbang.transport;

import org.jspecify.annotations.NullMarked;
