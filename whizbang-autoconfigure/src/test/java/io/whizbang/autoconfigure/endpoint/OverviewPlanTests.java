package io.whizbang.autoconfigure.endpoint;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.whizbang.autoconfigure.DeadLettersAutoConfiguration;
import io.whizbang.autoconfigure.EventStoreAutoConfiguration;
import io.whizbang.autoconfigure.FanoutAutoConfiguration;
import io.whizbang.autoconfigure.InboxAutoConfiguration;
import io.whizbang.autoconfigure.JobAutoConfiguration;
import io.whizbang.autoconfigure.JoinAutoConfiguration;
import io.whizbang.autoconfigure.LeaseAutoConfiguration;
import io.whizbang.autoconfigure.OutboxAutoConfiguration;
import io.whizbang.autoconfigure.PerspectiveAutoConfiguration;
import io.whizbang.autoconfigure.QueueAutoConfiguration;
import io.whizbang.autoconfigure.TimerAutoConfiguration;
import io.whizbang.autoconfigure.WhizbangAutoConfiguration;
import io.whizbang.coordinator.QueueStatistics;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The overview as a whole costs no more with long queues than with queues as long as they
 * are counted (G9): all that its lines read, of all tables and indexes.
 */
@PostgresTest
class OverviewPlanTests {

	private static final Logger logger = LoggerFactory.getLogger(OverviewPlanTests.class);

	/** Only the overview may be at work. */
	private static final String[] PROPERTIES = { "management.endpoints.web.exposure.include=whizbang",
			"whizbang.outbox.worker.enabled=false", "whizbang.inbox.worker.enabled=false",
			"whizbang.perspectives.worker.enabled=false", "whizbang.jobs.worker.enabled=false",
			"whizbang.fanout.worker.enabled=false", "whizbang.joins.worker.enabled=false",
			"whizbang.queues.worker.enabled=false" };

	private final JdbcTemplate jdbc;

	private final Observed dataSource;

	private final ApplicationContextRunner runner;

	OverviewPlanTests(PostgresDatabase database) {
		this.jdbc = database.jdbc();
		this.dataSource = new Observed(database.dataSource(), database.unpooledDataSource());
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					InboxAutoConfiguration.class, DeadLettersAutoConfiguration.class, EventStoreAutoConfiguration.class,
					LeaseAutoConfiguration.class, PerspectiveAutoConfiguration.class, TimerAutoConfiguration.class,
					JobAutoConfiguration.class, FanoutAutoConfiguration.class, JoinAutoConfiguration.class,
					QueueAutoConfiguration.class, WhizbangEndpointAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, JacksonAutoConfiguration.class))
			.withBean(DataSource.class, () -> this.dataSource, (bean) -> bean.setDestroyMethodName(""))
			.withPropertyValues(PROPERTIES);
	}

	@Test
	void costsNoMoreWithAMillionMessagesThanWithTenThousand() {
		this.runner.run((context) -> assertThat(context).hasNotFailed());
		withoutAutovacuum();
		fill(1, QueueStatistics.LIMIT, QueueStatistics.LIMIT);
		int few = measure();
		fill(QueueStatistics.LIMIT + 1, 1_000_000, 30_000);
		int many = measure();
		this.jdbc.execute("analyze");
		int known = measure();
		logger.info("Buffers of the overview with 10 000 and 1 000 000 waiting: {}, and {}, {} when that is known", few,
				many, known);
		assertThat(few).as("buffers with ten thousand messages").isPositive();
		assertThat(many).as("buffers with a million, which were %d with ten thousand", few).isLessThan(2 * few + 200);
		assertThat(known).as("buffers with a known million, which were %d", few).isLessThan(2 * few + 200);
	}

	/** It must not decide about plans, nor tidy up, while this looks. */
	private void withoutAutovacuum() {
		this.jdbc.execute(
				"""
						do $$
						declare t regclass;
						begin
						    for t in select c.oid from pg_class c where c.relnamespace = 'whizbang'::regnamespace and c.relkind = 'r' loop
						        execute format('alter table %s set (autovacuum_enabled = false)', t);
						    end loop;
						end $$""");
	}

	/** A context of its own each time, because figures are kept for some seconds. */
	private int measure() {
		int[] buffers = new int[1];
		this.runner.run((context) -> {
			WhizbangEndpoint endpoint = context.getBean(WhizbangEndpoint.class);
			buffers[0] = this.dataSource.buffers(() -> {
				OverviewBody overview = (OverviewBody) endpoint.overview().getBody();
				assertThat(overview).isNotNull();
				Map<String, OverviewLine> lines = overview.features()
					.stream()
					.collect(Collectors.toMap(OverviewLine::feature, Function.identity()));
				assertThat(lines).containsOnlyKeys("outbox", "inbox", "perspectives", "timers", "jobs", "fanout",
						"joins", "queues", "leases");
				assertThat(lines.values()).extracting(OverviewLine::problem).containsOnlyNulls();
				assertThat(lines.get("outbox").backlog()).isEqualTo(QueueStatistics.LIMIT);
			});
		});
		return buffers[0];
	}

	/** Messages to a number, and so many of all else that is counted. */
	private void fill(int from, int messages, int others) {
		this.jdbc
			.update("""
					insert into whizbang.wh_messages (queue, partition_hash, size, message_id, topic, message_type, headers, payload)
					select 1, n % 10000, 2, gen_random_uuid(), 'test', 'Test', '{}', '{}' from generate_series(?::int, ?::int) n""",
					from, messages);
		this.jdbc.update(
				"""
						insert into whizbang.wh_scheduled (queue, due_at, created_at, partition_hash, size, message_id, topic, message_type,
						    headers, payload, timer_due)
						select 1, now() + interval '1 day', now(), n % 10000, 2, gen_random_uuid(), 'test', 'Test', '{}', '{}', now() + interval '1 day'
						from generate_series(?::int, ?::int) n""",
				from, from + others - 1);
		this.jdbc.update("""
				insert into whizbang.wh_joins (join_id, fail_fast, headers, metadata, started_at)
				select gen_random_uuid(), false, '{}', '{}', now() from generate_series(1, ?)""", others);
		this.jdbc.update("""
				insert into whizbang.wh_join_reports (join_id, failed, reported_at)
				select gen_random_uuid(), false, now() from generate_series(1, ?)""", others);
		this.jdbc
			.update("""
					insert into whizbang.wh_dead_letters (queue, reason, attempts, died_at, created_at, seq, message_id, topic,
					    message_type, headers, payload)
					select 1, 'test', 1, now(), now(), n, gen_random_uuid(), 'test', 'Test', '{}', '{}' from generate_series(?::int, ?::int) n""",
					from, from + others - 1);
		this.jdbc
			.update("""
					with keys as (
					    insert into whizbang.wh_queue_keys (queue, key_id, partition_hash, place, due_at, routing_key)
					    select 'pictures', md5(n::text)::uuid, n, nextval('whizbang.wh_message_seq'), now(), n::text
					    from generate_series(?::int, ?::int) n
					    returning key_id
					)
					insert into whizbang.wh_queue_messages (queue, key_id, seq, size, created_at, message_id, message_type, headers, payload)
					select 'pictures', k.key_id, nextval('whizbang.wh_message_seq'), 2, now(), gen_random_uuid(), 't', '{}', '{}' from keys k""",
					from, from + others - 1);
	}

	/**
	 * Gives a thread that is observed one connection and one transaction, in which the
	 * server counts what it reads of each table and index, exactly and for nobody else.
	 */
	private static final class Observed extends DelegatingDataSource {

		private static final String FETCHED = """
				select coalesce(sum(pg_stat_get_xact_blocks_fetched(c.oid)), 0)::int from pg_class c
				where c.relnamespace = 'whizbang'::regnamespace""";

		private final DataSource unpooled;

		private final ThreadLocal<@Nullable Connection> observed = new ThreadLocal<>();

		Observed(DataSource pool, DataSource unpooled) {
			super(pool);
			this.unpooled = unpooled;
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection session = this.observed.get();
			return (session != null) ? lent(session) : super.getConnection();
		}

		int buffers(Runnable step) throws SQLException {
			try (Connection session = this.unpooled.getConnection()) {
				session.setAutoCommit(false);
				JdbcTemplate statistics = new JdbcTemplate(new SingleConnectionDataSource(session, true));
				int before = fetched(statistics);
				this.observed.set(session);
				try {
					step.run();
				}
				finally {
					this.observed.remove();
				}
				return fetched(statistics) - before;
			}
		}

		private static int fetched(JdbcTemplate statistics) {
			Integer fetched = statistics.queryForObject(FETCHED, Integer.class);
			return (fetched != null) ? fetched : 0;
		}

		/** Neither ends nor its transaction does. */
		private static Connection lent(Connection session) {
			Set<String> ignored = Set.of("close", "commit", "rollback", "setAutoCommit", "setReadOnly",
					"setTransactionIsolation");
			return (Connection) Proxy.newProxyInstance(OverviewPlanTests.class.getClassLoader(),
					new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
						if (ignored.contains(method.getName())) {
							return null;
						}
						if (method.getName().equals("getAutoCommit")) {
							return true;
						}
						try {
							return method.invoke(session, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getTargetException();
						}
					});
		}

	}

}
