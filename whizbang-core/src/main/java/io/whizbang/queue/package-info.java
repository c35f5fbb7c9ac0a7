/**
 * Work queues: whoever takes a message gets all messages of its routing key, and the key
 * with them.
 */
@NullMarked
package io.whizbang.queue;

import org.jspecify.annotations.NullMarked;
