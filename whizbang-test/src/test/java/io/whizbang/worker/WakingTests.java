package io.whizbang.worker;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.message.MessageId;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Work is found because it was announced: polls come every two minutes here.
 */
@PostgresTest
class WakingTests {

	private final PostgresDatabase database;

	private final Set<MessageId> delivered = WorkerInstance.deliveries();

	WakingTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void installSchema() {
		new SchemaInstaller(this.database.dataSource(), SchemaSettings.defaults()).install();
	}

	@Test
	void anInstanceDeliversWhatItCommitsItself() throws Exception {
		try (WorkerInstance instance = new WorkerInstance(this.database, this.delivered)) {
			Await.until("the instance listens", instance::isListening);
			awaitDelivery(instance.enqueue(20, "{}"));
		}
	}

	@Test
	void aListenerBehindAPoolerNoticesThatItIsDeaf() throws Exception {
		CountDownLatch probed = new CountDownLatch(1);
		AtomicInteger opened = new AtomicInteger();
		PostgresListener listener = new PostgresListener(() -> {
			Connection connection = this.database.unpooledDataSource().getConnection();
			return (opened.getAndIncrement() == 0) ? new WithoutListen(connection, probed).proxy() : connection;
		}, AnnouncementChannel.ofSchema("whizbang"));
		List<Integer> told = new CopyOnWriteArrayList<>();
		listener.wakes(new Hearer() {

			@Override
			public void announced(Announcement announcement) {
			}

			@Override
			public void listening(@Nullable Integer backendPid) {
				told.add((backendPid != null) ? backendPid : -1);
			}
		});
		listener.start();
		try {
			assertThat(probed.await(60, TimeUnit.SECONDS)).as("it gave the connection up").isTrue();
			assertThat(listener.healthy()).isFalse();
			assertThat(told).allMatch((pid) -> pid == -1);
			assertThat(opened).hasValue(2);
		}
		finally {
			listener.stop();
		}
	}

	/**
	 * A connection that loses its LISTEN, as one does when the next transaction has
	 * another session.
	 */
	private record WithoutListen(Connection connection, CountDownLatch closed) {

		Connection proxy() {
			return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
					(proxy, method, arguments) -> {
						if (method.getName().equals("close")) {
							this.connection.close();
							this.closed.countDown();
							return null;
						}
						Object result = method.invoke(this.connection, arguments);
						if (method.getName().equals("createStatement")) {
							return withoutListen((Statement) result);
						}
						return result;
					});
		}

		private static Statement withoutListen(Statement statement) {
			return (Statement) Proxy.newProxyInstance(WithoutListen.class.getClassLoader(),
					new Class<?>[] { Statement.class }, (proxy, method, arguments) -> {
						boolean listen = method.getName().equals("execute")
								&& String.valueOf(arguments[0]).startsWith("listen");
						return listen ? false : method.invoke(statement, arguments);
					});
		}

	}

	@Test
	void anInstanceDeliversItsShareOfWhatAnotherCommits() throws Exception {
		try (WorkerInstance one = new WorkerInstance(this.database, this.delivered);
				WorkerInstance other = new WorkerInstance(this.database, this.delivered)) {
			awaitBoth(one, other);
			awaitDelivery(one.enqueue(40, "{}"));
		}
	}

	@Test
	void anInstanceThatJoinsIsToldOfItsShareFromTheFirstMessageOn() throws Exception {
		try (WorkerInstance one = new WorkerInstance(this.database, this.delivered)) {
			Await.until("the first listens", () -> one.isListening() && one.status().members() == 1);
			awaitDelivery(one.enqueue(5, "{}"));
			try (WorkerInstance other = new WorkerInstance(this.database, this.delivered)) {
				Await.until("the second works", () -> other.isListening() && other.status().members() == 2);
				awaitDelivery(one.enqueue(40, "{}"));
				awaitDelivery(other.enqueue(40, "{}"));
			}
		}
	}

	@Test
	void whoIsLeftIsToldOfTheShareOfOneThatLeaves() throws Exception {
		try (WorkerInstance one = new WorkerInstance(this.database, this.delivered)) {
			int share;
			try (WorkerInstance other = new WorkerInstance(this.database, this.delivered)) {
				awaitBoth(one, other);
				awaitDelivery(other.enqueue(40, "{}"));
				awaitDelivery(one.enqueue(40, "{}"));
				share = other.status().rank();
			}
			awaitDelivery(one.enqueueToShare(share, 2));
		}
	}

	@Test
	void aListenerWhoseSessionIsCutComesBack() throws Exception {
		try (WorkerInstance one = new WorkerInstance(this.database, this.delivered);
				WorkerInstance other = new WorkerInstance(this.database, this.delivered)) {
			awaitBoth(one, other);
			this.database.jdbc().queryForList("""
					select pg_terminate_backend(i.backend_pid) from whizbang.wh_service_instances i
					where i.backend_pid is not null""");
			awaitDelivery(one.enqueue(40, "{}"));
			Await.until("both listen again", () -> one.isListening() && other.isListening());
			awaitDelivery(one.enqueue(40, "{}"));
		}
	}

	@Test
	void messagesThatAreTooLargeForAnAnswerAreDeliveredToo() throws Exception {
		String large = "\"" + "x".repeat(100_000) + "\"";
		try (WorkerInstance instance = new WorkerInstance(this.database, this.delivered)) {
			Await.until("the instance listens", instance::isListening);
			awaitDelivery(instance.enqueue(12, large));
		}
		assertThat(this.database.jdbc().queryForObject("select count(*) from whizbang.wh_messages", Integer.class))
			.isZero();
	}

	private void awaitBoth(WorkerInstance one, WorkerInstance other) {
		Await.until("both know of each other", () -> {
			one.look();
			other.look();
			return one.status().members() == 2 && other.status().members() == 2 && one.isListening()
					&& other.isListening();
		});
	}

	private void awaitDelivery(List<MessageId> messages) {
		Await.until("all messages are delivered", () -> this.delivered.containsAll(messages));
	}

}
