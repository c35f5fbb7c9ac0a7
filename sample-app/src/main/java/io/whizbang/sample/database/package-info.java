/**
 * A database for people who have none at hand; nothing that an application would copy.
 */
@NullMarked
package io.whizbang.sample.database;

import org.jspecify.annotations.NullMarked;
