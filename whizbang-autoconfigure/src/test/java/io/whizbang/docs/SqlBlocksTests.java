package io.whizbang.docs;

import java.sql.Connection;
import java.sql.Statement;

import javax.sql.DataSource;

import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;

@PostgresTest
class SqlBlocksTests {

	private final DataSource dataSource;

	SqlBlocksTests(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	@Test
	void everyStatementRuns() throws Exception {
		new SchemaInstaller(this.dataSource, SchemaSettings.defaults()).install();
		for (Page page : Page.all()) {
			for (Page.Block block : page.blocks()) {
				if (block.language().equals("sql")) {
					runAndRollBack(block.text());
				}
			}
		}
	}

	private void runAndRollBack(String sql) throws Exception {
		try (Connection connection = this.dataSource.getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			// The role that the pages grant rights to.
			statement.execute("create role shop_app");
			statement.execute(sql);
			connection.rollback();
		}
	}

}
