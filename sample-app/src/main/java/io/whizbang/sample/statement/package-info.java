/**
 * What each customer has bought since the last statement.
 */
@NullMarked
package io.whizbang.sample.statement;

import org.jspecify.annotations.NullMarked;
