/**
 * Delivery to Kafka, and from it.
 */
@NullMarked
package io.whizbang.transport.kafka;

import org.jspecify.annotations.NullMarked;
