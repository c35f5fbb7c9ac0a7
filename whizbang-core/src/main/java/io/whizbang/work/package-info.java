/**
 * Words every feature shares: claimed work, what became of it, and when to try again.
 */
@NullMarked
package io.whizbang.work;

import org.jspecify.annotations.NullMarked;
