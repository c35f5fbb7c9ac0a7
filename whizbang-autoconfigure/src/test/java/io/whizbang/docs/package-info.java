/**
 * Keeps the documentation true: its links, samples, names, settings and SQL.
 */
@NullMarked
package io.whizbang.docs;

import org.jspecify.annotations.NullMarked;
