package io.whizbang.autoconfigure;

import io.micrometer.observation.ObservationRegistry;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.job.JdbcJobStore;
import io.whizbang.job.JdbcJobs;
import io.whizbang.job.JobHandlers;
import io.whizbang.job.JobListener;
import io.whizbang.job.JobListeners;
import io.whizbang.job.JobParts;
import io.whizbang.job.JobScanner;
import io.whizbang.job.JobSettings;
import io.whizbang.job.JobWorker;
import io.whizbang.job.Jobs;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.JobObservations;
import io.whizbang.observation.RunConvention;
import io.whizbang.outbox.Outbox;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for jobs.
 */
@AutoConfiguration(after = { WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = { "whizbang.enabled", "whizbang.jobs.enabled" }, matchIfMissing = true)
@EnableConfigurationProperties(JobProperties.class)
@Import({ WorkerConfiguration.class, JobWorkerConfiguration.class })
public final class JobAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	JobSettings whizbangJobSettings(JobProperties properties, Environment environment) {
		return properties.toSettings(WorkerFactory.shutdownTimeout(environment));
	}

	@Bean
	@ConditionalOnMissingBean
	JdbcJobStore whizbangJobStore(WhizbangDatabase database) {
		return new JdbcJobStore(database.dataSource(), database.schema());
	}

	@Bean
	@ConditionalOnMissingBean
	JobHandlers whizbangJobHandlers() {
		return new JobHandlers();
	}

	@Bean
	@ConditionalOnMissingBean
	JobScanner whizbangJobScanner(ConfigurableListableBeanFactory beanFactory, JobHandlers handlers,
			JobSettings settings) {
		return new JobScanner(beanFactory, handlers, settings.retry());
	}

	@Bean
	@ConditionalOnMissingBean
	JobObservations whizbangJobObservations(ObjectProvider<ObservationRegistry> registry,
			ObjectProvider<RunConvention> runConvention) {
		return new JobObservations(registry.getIfUnique(() -> ObservationRegistry.NOOP),
				runConvention.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	JobParts whizbangJobParts(JdbcJobStore store, JobHandlers handlers, MessageCodec codec,
			ObjectProvider<Outbox> outbox, JobSettings settings, InstanceInfo info,
			ObjectProvider<JobListener> listeners, JobObservations observations) {
		return new JobParts(store, handlers, codec, outbox.getIfAvailable(), settings, info,
				new JobListeners(listeners.orderedStream().toList()), observations);
	}

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean(Jobs.class)
	JdbcJobs whizbangJobs(JobParts parts, JobWorker worker) {
		return new JdbcJobs(parts, worker);
	}

}
