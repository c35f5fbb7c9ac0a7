/**
 * Delivery to RabbitMQ.
 */
@NullMarked
package io.whizbang.transport.rabbit;

import org.jspecify.annotations.NullMarked;
