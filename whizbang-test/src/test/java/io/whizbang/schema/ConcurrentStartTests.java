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
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class ConcurrentStartTests {

	private static final int INSTANCES = 10;

	private final PostgresDatabase database;

	ConcurrentStartTests(PostgresDatabase database) {
		this.database = database;
	}

	@Test
	void tenInstancesInstallAFreshSchemaOnce() throws Exception {
		CyclicBarrier start = new CyclicBarrier(INSTANCES);
		ExecutorService threads = Executors.newFixedThreadPool(INSTANCES);
		try {
			List<Future<?>> instances = new ArrayList<>();
			for (int i = 0; i < INSTANCES; i++) {
				instances.add(threads.submit(() -> {
					try (HikariDataSource pool = this.database.createPool(2)) {
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
		assertThat(
				this.database.jdbc().queryForObject("select count(*) from whizbang.wh_schema_version", Integer.class))
			.isOne();
		assertThat(this.database.jdbc()
			.queryForObject("select count(*) from whizbang.wh_schema_change where exectype <> 'EXECUTED'",
					Integer.class))
			.isZero();
		new SchemaInstaller(this.database.dataSource(), SchemaSettings.of("whizbang", SchemaMode.VALIDATE)).install();
	}

}
