package io.whizbang.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresServer;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class ConcurrentStartTests {

	private static final int INSTANCES = 10;

	private final PostgresServer server;

	ConcurrentStartTests(PostgresServer server) {
		this.server = server;
	}

	@Test
	void tenInstancesInstallAFreshSchemaOnce() throws Exception {
		try (PostgresDatabase database = this.server.createDatabase("start")) {
			startTenAtOnce(database);
			assertThat(database.jdbc().queryForObject("select count(*) from whizbang.wh_schema_version", Integer.class))
				.isOne();
			assertThat(database.jdbc()
				.queryForObject("select count(*) from whizbang.wh_schema_change where exectype <> 'EXECUTED'",
						Integer.class))
				.isZero();
			new SchemaInstaller(database.dataSource(), SchemaSettings.of("whizbang", SchemaMode.VALIDATE)).install();
		}
	}

	private static void startTenAtOnce(PostgresDatabase database) throws Exception {
		CyclicBarrier start = new CyclicBarrier(INSTANCES);
		ExecutorService threads = Executors.newFixedThreadPool(INSTANCES);
		try {
			List<Future<?>> instances = new ArrayList<>();
			for (int i = 0; i < INSTANCES; i++) {
				instances.add(threads.submit(() -> {
					try (HikariDataSource pool = database.createPool(2)) {
						start.await(30, TimeUnit.SECONDS);
						new SchemaInstaller(pool, SchemaSettings.defaults()).install();
						return null;
					}
				}));
			}
			for (Future<?> instance : instances) {
				instance.get(120, TimeUnit.SECONDS);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

}
