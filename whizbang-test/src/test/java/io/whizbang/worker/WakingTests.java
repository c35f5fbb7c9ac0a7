package io.whizbang.worker;

import java.util.List;
import java.util.Set;

import io.whizbang.message.MessageId;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
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
