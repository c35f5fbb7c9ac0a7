package io.whizbang.worker;

import java.util.List;
import java.util.Set;

import io.whizbang.message.MessageId;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.Await;
import io.whizbang.test.EmbeddedPostgresServer;
import io.whizbang.test.PostgresDatabase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A worker outlives its database.
 */
class DatabaseRestartTests {

	@Test
	void aWorkerPausesWhileTheDatabaseIsAwayAndGoesOnByItself() throws Exception {
		Set<MessageId> delivered = WorkerInstance.deliveries();
		try (EmbeddedPostgresServer server = EmbeddedPostgresServer.create();
				PostgresDatabase database = server.server().createDatabase("restart")) {
			new SchemaInstaller(database.dataSource(), SchemaSettings.defaults()).install();
			try (WorkerInstance instance = new WorkerInstance(database, delivered)) {
				Await.until("the instance listens", instance::isListening);
				awaitDelivery(delivered, instance.enqueue(5, "{}"));

				server.stop();
				instance.look();
				Await.until("rounds fail", () -> instance.status().consecutiveFailures() > 0);
				assertThat(instance.status().state()).isEqualTo(WorkerStatus.State.RUNNING);

				server.start();
				Await.until("rounds succeed again", () -> instance.status().consecutiveFailures() == 0);
				awaitDelivery(delivered, instance.enqueue(5, "{}"));
				Await.until("the instance listens again", instance::isListening);
			}
		}
	}

	private static void awaitDelivery(Set<MessageId> delivered, List<MessageId> messages) {
		Await.until("all messages are delivered", () -> delivered.containsAll(messages));
	}

}
