package io.whizbang.autoconfigure;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.whizbang.coordinator.JdbcQueueStatistics;
import io.whizbang.fanout.FanoutGauges;
import io.whizbang.fanout.Fanouts;
import io.whizbang.fanout.MicrometerFanoutListener;
import io.whizbang.job.JobGauges;
import io.whizbang.job.Jobs;
import io.whizbang.job.MicrometerJobListener;
import io.whizbang.join.JdbcJoinStore;
import io.whizbang.join.JoinGauges;
import io.whizbang.join.MicrometerJoinListener;
import io.whizbang.lease.JdbcLeases;
import io.whizbang.lease.MicrometerLeaseListener;
import io.whizbang.observation.MicrometerLetterListener;
import io.whizbang.observation.MicrometerWorkListener;
import io.whizbang.observation.ObservationNames;
import io.whizbang.observation.QueueGauges;
import io.whizbang.perspective.MicrometerPerspectiveListener;
import io.whizbang.perspective.PerspectiveHandlers;
import io.whizbang.perspective.Perspectives;
import io.whizbang.queue.MicrometerQueueListener;
import io.whizbang.queue.Queues;
import io.whizbang.queue.WorkQueueGauges;
import io.whizbang.timer.MicrometerTimerListener;
import io.whizbang.timer.TimerGauges;
import io.whizbang.timer.Timers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for metrics.
 */
@AutoConfiguration(
		after = { OutboxAutoConfiguration.class, InboxAutoConfiguration.class, PerspectiveAutoConfiguration.class,
				TimerAutoConfiguration.class, JobAutoConfiguration.class, LeaseAutoConfiguration.class,
				FanoutAutoConfiguration.class, JoinAutoConfiguration.class, QueueAutoConfiguration.class },
		afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "whizbang.enabled", matchIfMissing = true)
public final class WhizbangMetricsAutoConfiguration {

	private static final String GAUGES = "whizbangQueueGauges";

	private static final String LEASE_GAUGE = "whizbangLeaseGauge";

	@Bean
	@ConditionalOnMissingBean
	MicrometerWorkListener whizbangMicrometerWorkListener(MeterRegistry registry) {
		return new MicrometerWorkListener(registry);
	}

	@Bean
	SmartInitializingSingleton whizbangExpectedMeters(MicrometerWorkListener listener,
			ObjectProvider<JdbcQueueStatistics> queues) {
		return () -> queues.forEach((queue) -> listener.expect(queue.queue()));
	}

	@Bean
	@ConditionalOnMissingBean
	MicrometerLetterListener whizbangMicrometerLetterListener(MeterRegistry registry) {
		return new MicrometerLetterListener(registry);
	}

	@Bean(GAUGES)
	@ConditionalOnMissingBean(name = GAUGES)
	MeterBinder whizbangQueueGauges(ObjectProvider<JdbcQueueStatistics> queues) {
		return (registry) -> queues.forEach((queue) -> new QueueGauges(queue).bindTo(registry));
	}

	@Bean
	@ConditionalOnMissingBean
	MicrometerLeaseListener whizbangMicrometerLeaseListener(MeterRegistry registry) {
		return new MicrometerLeaseListener(registry);
	}

	@Bean(LEASE_GAUGE)
	@ConditionalOnMissingBean(name = LEASE_GAUGE)
	MeterBinder whizbangLeaseGauge(ObjectProvider<JdbcLeases> leases) {
		return (registry) -> leases.ifAvailable((held) -> Gauge.builder(ObservationNames.LEASES_HELD, held::held)
			.description("Leases that this instance holds")
			.register(registry));
	}

	@Bean
	@ConditionalOnMissingBean
	MicrometerPerspectiveListener whizbangMicrometerPerspectiveListener(MeterRegistry registry) {
		return new MicrometerPerspectiveListener(registry);
	}

	@Bean
	@ConditionalOnMissingBean
	MicrometerJobListener whizbangMicrometerJobListener(MeterRegistry registry) {
		return new MicrometerJobListener(registry);
	}

	@Bean
	@ConditionalOnMissingBean
	MicrometerFanoutListener whizbangMicrometerFanoutListener(MeterRegistry registry) {
		return new MicrometerFanoutListener(registry);
	}

	@Bean
	@ConditionalOnBean(Fanouts.class)
	@ConditionalOnMissingBean
	FanoutGauges whizbangFanoutGauges(Fanouts fanouts) {
		return new FanoutGauges(fanouts::list);
	}

	@Bean
	@ConditionalOnMissingBean
	MicrometerJoinListener whizbangMicrometerJoinListener(MeterRegistry registry) {
		return new MicrometerJoinListener(registry);
	}

	@Bean
	@ConditionalOnBean(JdbcJoinStore.class)
	@ConditionalOnMissingBean
	JoinGauges whizbangJoinGauges(JdbcJoinStore store) {
		return new JoinGauges(store);
	}

	@Bean
	@ConditionalOnMissingBean
	MicrometerQueueListener whizbangMicrometerQueueListener(MeterRegistry registry) {
		return new MicrometerQueueListener(registry);
	}

	@Bean
	@ConditionalOnBean(Queues.class)
	@ConditionalOnMissingBean
	WorkQueueGauges whizbangWorkQueueGauges(Queues queues) {
		return new WorkQueueGauges(queues);
	}

	@Bean
	@ConditionalOnBean(Jobs.class)
	@ConditionalOnMissingBean
	JobGauges whizbangJobGauges(Jobs jobs) {
		return new JobGauges(jobs::list);
	}

	@Bean
	@ConditionalOnBean(Perspectives.class)
	PerspectiveMeters whizbangPerspectiveMeters(Perspectives perspectives, PerspectiveHandlers handlers,
			MicrometerPerspectiveListener listener, MeterRegistry registry) {
		return new PerspectiveMeters(perspectives, handlers, listener, registry);
	}

	@Bean
	@ConditionalOnBean(Timers.class)
	@ConditionalOnMissingBean
	MicrometerTimerListener whizbangMicrometerTimerListener(MeterRegistry registry) {
		return new MicrometerTimerListener(registry);
	}

	@Bean
	@ConditionalOnBean(Timers.class)
	@ConditionalOnMissingBean
	TimerGauges whizbangTimerGauges(Timers timers) {
		return new TimerGauges(timers);
	}

}
