package io.whizbang.autoconfigure.dashboard;

import io.whizbang.autoconfigure.endpoint.DeadLettersEndpoint;
import io.whizbang.autoconfigure.endpoint.FanoutsEndpoint;
import io.whizbang.autoconfigure.endpoint.JobsEndpoint;
import io.whizbang.autoconfigure.endpoint.JoinsEndpoint;
import io.whizbang.autoconfigure.endpoint.LeasesEndpoint;
import io.whizbang.autoconfigure.endpoint.OverviewContributor;
import io.whizbang.autoconfigure.endpoint.PerspectivesEndpoint;
import io.whizbang.autoconfigure.endpoint.QueuesEndpoint;
import io.whizbang.autoconfigure.endpoint.TimersEndpoint;
import io.whizbang.autoconfigure.endpoint.WhizbangEndpoint;
import io.whizbang.autoconfigure.endpoint.WhizbangEndpointAutoConfiguration;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the dashboard.
 */
@AutoConfiguration(after = WhizbangEndpointAutoConfiguration.class)
@ConditionalOnClass({ RouterFunction.class, WebEndpoint.class })
@ConditionalOnBean({ DeadLetters.class, Workers.class })
@EnableConfigurationProperties(DashboardProperties.class)
public final class DashboardAutoConfiguration {

	/** Nested, because its methods speak of classes that an application may not have. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "whizbang.dashboard.enabled")
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ImportRuntimeHints(DashboardRuntimeHints.class)
	@RegisterReflectionForBinding({ SessionBody.class, Answers.Refusal.class })
	static class RoutesConfiguration {

		private static final Logger logger = LoggerFactory.getLogger(DashboardAutoConfiguration.class);

		private static final String ROUTES = "whizbangDashboard";

		@Bean(ROUTES)
		@ConditionalOnMissingBean(name = ROUTES)
		RouterFunction<ServerResponse> whizbangDashboard(ApplicationContext context, DashboardProperties properties,
				InstanceInfo info, ObjectProvider<EndpointAccessResolver> access,
				ObjectProvider<OverviewContributor> contributors, JdbcControl control, Workers workers,
				DeadLetters letters, ObjectProvider<Perspectives> perspectives, ObjectProvider<Jobs> jobs,
				ObjectProvider<Timers> timers, ObjectProvider<Fanouts> fanouts, ObjectProvider<Leases> leases,
				ObjectProvider<Joins> joins, ObjectProvider<Queues> queues) {
			boolean secured = ClassUtils.isPresent("org.springframework.security.web.csrf.CsrfToken",
					context.getClassLoader());
			if (secured || properties.role() != null) {
				logger.info("The dashboard is at {}", properties.path());
			}
			else {
				logger.warn("The dashboard is at {}, open to everyone who can reach it: there is no Spring Security",
						properties.path());
			}
			Permissions permissions = new Permissions(
					access.getIfAvailable(() -> (endpoint, defaultAccess) -> Access.UNRESTRICTED),
					properties.writable());
			DashboardRoutes routes = new DashboardRoutes(properties.path(), info.serviceName(), permissions,
					secured ? new CsrfSource.SpringSecurity() : CsrfSource.NONE);
			routes.overview(new WhizbangEndpoint(info, contributors.orderedStream().toList(), control, workers));
			routes.letters(new DeadLettersEndpoint(letters));
			perspectives.ifAvailable((bean) -> routes.perspectives(new PerspectivesEndpoint(bean)));
			jobs.ifAvailable((bean) -> routes.jobs(new JobsEndpoint(bean)));
			timers.ifAvailable((bean) -> routes.timers(new TimersEndpoint(bean)));
			fanouts.ifAvailable((bean) -> routes.fanouts(new FanoutsEndpoint(bean)));
			leases.ifAvailable((bean) -> routes.leases(new LeasesEndpoint(bean)));
			joins.ifAvailable((bean) -> routes.joins(new JoinsEndpoint(bean)));
			queues.ifAvailable((bean) -> routes.queues(new QueuesEndpoint(bean)));
			return routes.build(new DashboardGate(secured, properties.role()));
		}

	}

}
