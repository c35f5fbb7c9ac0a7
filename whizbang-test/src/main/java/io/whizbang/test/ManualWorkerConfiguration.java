package io.whizbang.test;

import java.util.List;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.outbox.OutboxPublisher;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkerLifecycle;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The beans behind {@link WithManualWorker}. Each takes the place of an auto-configured
 * one, or works beside it.
 */
@Configuration(proxyBeanMethods = false)
class ManualWorkerConfiguration {

	/** Starts nobody. */
	@Bean
	WorkerLifecycle whizbangWorkerLifecycle() {
		return new WorkerLifecycle(List.of(), null, null);
	}

	@Bean
	DatabaseClock whizbangDatabaseClock(DataSource dataSource) {
		return new DatabaseClock(dataSource);
	}

	@Bean
	JdbcWorkCoordinator whizbangWorkCoordinator(DataSource dataSource,
			@Value("${whizbang.schema.name:whizbang}") String schema, CoordinatorSettings settings,
			DatabaseClock clock) {
		return new JdbcWorkCoordinator(dataSource, schema, settings, clock);
	}

	@Bean
	ManualWorker whizbangManualWorker(OutboxPublisher publisher, WorkCoordinator coordinator, CoordinatorSettings rules,
			ObjectProvider<WorkListener> listeners) {
		QueueWork work = new QueueWork(Queue.OUTBOX, publisher, publisher,
				new RecordingListener(listeners.orderedStream().toList()));
		return new ManualWorker(work, coordinator, rules);
	}

}
