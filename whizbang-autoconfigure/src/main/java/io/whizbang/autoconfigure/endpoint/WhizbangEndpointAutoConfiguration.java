package io.whizbang.autoconfigure.endpoint;

import io.whizbang.autoconfigure.DeadLettersAutoConfiguration;
import io.whizbang.autoconfigure.FanoutAutoConfiguration;
import io.whizbang.autoconfigure.InboxAutoConfiguration;
import io.whizbang.autoconfigure.JobAutoConfiguration;
import io.whizbang.autoconfigure.JoinAutoConfiguration;
import io.whizbang.autoconfigure.LeaseAutoConfiguration;
import io.whizbang.autoconfigure.OutboxAutoConfiguration;
import io.whizbang.autoconfigure.PerspectiveAutoConfiguration;
import io.whizbang.autoconfigure.QueueAutoConfiguration;
import io.whizbang.autoconfigure.TimerAutoConfiguration;
import io.whizbang.control.JdbcControl;
import io.whizbang.control.Workers;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.fanout.Fanouts;
import io.whizbang.job.Jobs;
import io.whizbang.join.Joins;
import io.whizbang.lease.Leases;
import io.whizbang.letter.DeadLetters;
import io.whizbang.perspective.Perspectives;
import io.whizbang.queue.Queues;
import io.whizbang.timer.Timers;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the endpoints of Whizbang. Each
 * has an id of its own, so that it can be exposed, and restricted to reading, on its own.
 */
@AutoConfiguration(after = { OutboxAutoConfiguration.class, InboxAutoConfiguration.class,
		DeadLettersAutoConfiguration.class, PerspectiveAutoConfiguration.class, TimerAutoConfiguration.class,
		JobAutoConfiguration.class, LeaseAutoConfiguration.class, FanoutAutoConfiguration.class,
		JoinAutoConfiguration.class, QueueAutoConfiguration.class })
@ConditionalOnClass({ WebEndpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(DeadLetters.class)
public final class WhizbangEndpointAutoConfiguration {

	/** Nested, because its condition is a class that an application may not have. */
	@Configuration(proxyBeanMethods = false)
	@RegisterReflectionForBinding({ LettersBody.class, LetterBody.class, AuditBody.class, DecisionBody.class,
			PerspectivesBody.class, TimersBody.class, JobsBody.class, LeasesBody.class, FanoutsBody.class,
			JoinsBody.class, QueuesBody.class, OverviewBody.class, InstancesBody.class, BlockedBody.class,
			WorkersBody.class, Problem.class })
	@Import(OverviewConfiguration.class)
	static class EndpointConfiguration {

		@Bean
		@ConditionalOnBean(Workers.class)
		@ConditionalOnMissingBean
		@ConditionalOnAvailableEndpoint
		WhizbangEndpoint whizbangEndpoint(InstanceInfo info, ObjectProvider<OverviewContributor> contributors,
				JdbcControl control, Workers workers) {
			return new WhizbangEndpoint(info, contributors.orderedStream().toList(), control, workers);
		}

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnAvailableEndpoint
		DeadLettersEndpoint whizbangDeadLettersEndpoint(DeadLetters letters) {
			return new DeadLettersEndpoint(letters);
		}

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnAvailableEndpoint
		DeadLetterAuditEndpoint whizbangDeadLetterAuditEndpoint(DeadLetters letters) {
			return new DeadLetterAuditEndpoint(letters);
		}

		@Bean
		@ConditionalOnBean(Perspectives.class)
		@ConditionalOnMissingBean
		@ConditionalOnAvailableEndpoint
		PerspectivesEndpoint whizbangPerspectivesEndpoint(Perspectives perspectives) {
			return new PerspectivesEndpoint(perspectives);
		}

		@Bean
		@ConditionalOnBean(Leases.class)
		@ConditionalOnMissingBean
		@ConditionalOnAvailableEndpoint
		LeasesEndpoint whizbangLeasesEndpoint(Leases leases) {
			return new LeasesEndpoint(leases);
		}

		@Bean
		@ConditionalOnBean(Jobs.class)
		@ConditionalOnMissingBean
		@ConditionalOnAvailableEndpoint
		JobsEndpoint whizbangJobsEndpoint(Jobs jobs) {
			return new JobsEndpoint(jobs);
		}

		@Bean
		@ConditionalOnBean(Fanouts.class)
		@ConditionalOnMissingBean
		@ConditionalOnAvailableEndpoint
		FanoutsEndpoint whizbangFanoutsEndpoint(Fanouts fanouts) {
			return new FanoutsEndpoint(fanouts);
		}

		@Bean
		@ConditionalOnBean(Joins.class)
		@ConditionalOnMissingBean
		@ConditionalOnAvailableEndpoint
		JoinsEndpoint whizbangJoinsEndpoint(Joins joins) {
			return new JoinsEndpoint(joins);
		}

		@Bean
		@ConditionalOnBean(Queues.class)
		@ConditionalOnMissingBean
		@ConditionalOnAvailableEndpoint
		QueuesEndpoint whizbangQueuesEndpoint(Queues queues) {
			return new QueuesEndpoint(queues);
		}

		@Bean
		@ConditionalOnBean(Timers.class)
		@ConditionalOnMissingBean
		@ConditionalOnAvailableEndpoint
		TimersEndpoint whizbangTimersEndpoint(Timers timers) {
			return new TimersEndpoint(timers);
		}

	}

}
