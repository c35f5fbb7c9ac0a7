/**
 * What travels: envelope, identifiers, headers, codec.
 */
@NullMarked
package io.whizbang.message;

import org.jspecify.annotations.NullMarked;
