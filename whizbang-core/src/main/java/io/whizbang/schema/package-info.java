/**
 * Install, upgrade and check the database objects.
 */
@NullMarked
package io.whizbang.schema;

import org.jspecify.annotations.NullMarked;
