package io.whizbang.autoconfigure;

import javax.sql.DataSource;

/**
 * The database that Whizbang works in. Define a bean of this type to choose another than
 * the application's only, primary or {@link WhizbangDataSource marked} data source.
 *
 * @param dataSource the data source whose transactions enqueue messages
 * @param schema the schema that holds all objects of Whizbang
 */
public record WhizbangDatabase(DataSource dataSource, String schema) {
}
